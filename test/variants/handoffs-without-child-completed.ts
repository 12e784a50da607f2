import { phaseOf } from '../../reference-host/mutants/shared/handoff-parts.ts';
import type { Variant } from './variant.ts';

/** A completed child has no event of its own: output.harvested follows dispatch.succeeded (readings, Handoff). */
export const handoffsWithoutChildCompleted: Variant = {
  id: 'handoffs-without-child-completed',
  parts: ({ handoff }) => ({
    handoff: {
      ...handoff,
      written: (step) =>
        handoff.written({ ...step, drafts: step.drafts.filter((draft) => phaseOf(draft) !== 'child.completed') }),
    },
  }),
};
