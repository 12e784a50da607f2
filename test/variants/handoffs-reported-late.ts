import type { EventDraft } from '../../reference-host/store/event.ts';
import { phaseOf } from '../../reference-host/mutants/shared/handoff-parts.ts';
import type { Variant } from './variant.ts';

/** dispatch.succeeded is written when the child has ended; until then only node.dispatched names the child. */
export const handoffsReportedLate: Variant = {
  id: 'handoffs-reported-late',
  parts: ({ handoff }) => ({
    handoff: {
      ...handoff,
      written: (step) => {
        const { kind, drafts, earlier } = step;
        if (kind === 'dispatch.succeeded') return handoff.written({ ...step, drafts: drafts.filter(isNoSuccess) });
        const succeeded = kind === 'child.ended' ? earlier.findLast((draft) => !isNoSuccess(draft)) : undefined;
        return handoff.written({ ...step, drafts: succeeded === undefined ? drafts : [succeeded, ...drafts] });
      },
    },
  }),
};

function isNoSuccess(draft: EventDraft): boolean {
  return phaseOf(draft) !== 'dispatch.succeeded';
}
