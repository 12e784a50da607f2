import type { JsonObject } from '../../reference-host/json.ts';
import { isObject } from '../../reference-host/json.ts';
import { phaseOf } from '../../reference-host/mutants/shared/handoff-parts.ts';
import type { Variant } from './variant.ts';

/**
 * Decisions are the supervisor's events, a failed dispatch is core.dispatch.failed, node.dispatched is not written, and a
 * handoff has a phase of the host's own between the success of the dispatch and the child's end.
 */
export const handoffsReportedOtherwise: Variant = {
  id: 'handoffs-reported-otherwise',
  notApplicable: ['handoff.causation-chain.dispatch-failed'],
  parts: ({ handoff, eventOnWire }) => ({
    eventOnWire: (event, reading) => {
      const shown = eventOnWire(event, reading);
      if (!isObject(shown)) return shown;
      if (phaseOf(event) === 'dispatch.failed') return { ...shown, type: 'core.dispatch.failed' };
      return event.type === 'runOrchestrator.decided' && event.nodeId === 'dispatch'
        ? { ...shown, nodeId: 'supervisor' }
        : shown;
    },
    handoff: {
      ...handoff,
      written: (step) => {
        const drafts = step.drafts.filter(({ type }) => type !== 'node.dispatched');
        const success = drafts.find((draft) => phaseOf(draft) === 'dispatch.succeeded');
        const payload = { ...(success?.payload as JsonObject | undefined), phase: 'x-vendor.child.queued' };
        return handoff.written({
          ...step,
          drafts: success === undefined ? drafts : [...drafts, { ...success, payload }],
        });
      },
    },
  }),
};
