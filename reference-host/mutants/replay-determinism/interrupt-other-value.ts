import { onReplayOf } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const interruptOtherValue: Mutant = {
  id: 'interrupt-other-value',
  breaks: 'A replay goes on with another answer than the recorded one.',
  kills: ['replay.interrupt-short-circuits.recorded-value', 'sequence.state-equal'],
  parts: onReplayOf('core.interrupt.answer', (recorded) => ({ ...recorded, value: { approved: false } })),
};
