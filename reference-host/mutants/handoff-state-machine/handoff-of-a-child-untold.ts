import { CHAIN } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffOfAChildUntold: Mutant = {
  id: 'handoff-of-a-child-untold',
  breaks: 'A run that was dispatched itself tells no transition of its handoffs.',
  kills: ['handoff.happy-path.nested'],
  parts: ({ written }) => ({
    written: (draft, writing) =>
      draft.type === CHAIN && writing.run.dispatchedBy !== undefined ? [] : written(draft, writing),
  }),
};
