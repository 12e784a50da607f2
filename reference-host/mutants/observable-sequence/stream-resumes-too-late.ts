import { resumingAt } from '../shared/run-wire.ts';
import type { Mutant } from '../mutant.ts';

export const streamResumesTooLate: Mutant = {
  id: 'stream-resumes-too-late',
  breaks: 'A resumed stream skips an event.',
  kills: ['sequence.transports-agree'],
  parts: resumingAt((sequence) => sequence + 1),
};
