import { onReplayOf } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const clockReadAgain: Mutant = {
  id: 'clock-read-again',
  breaks: 'A replay reads the clock again.',
  kills: ['replay.logical-clock'],
  parts: onReplayOf('core.clock', () => undefined),
};
