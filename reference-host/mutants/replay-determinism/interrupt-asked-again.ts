import { onReplayOf } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const interruptAskedAgain: Mutant = {
  id: 'interrupt-asked-again',
  breaks: 'A replay asks again what was answered.',
  kills: ['replay.interrupt-short-circuits', 'replay.interrupt-short-circuits.recorded-value'],
  parts: onReplayOf('core.interrupt.answer', () => undefined),
};
