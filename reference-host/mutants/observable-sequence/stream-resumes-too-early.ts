import { resumingAt } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const streamResumesTooEarly: Mutant = {
  id: 'stream-resumes-too-early',
  breaks: 'A resumed stream repeats the event after which it should go on.',
  kills: ['sequence.transports-agree'],
  parts: resumingAt((sequence) => sequence - 1),
};
