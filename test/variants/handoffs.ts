import { type JsonObject, isObject } from '../../reference-host/json.ts';
import { phaseOf } from '../../reference-host/mutants/shared/handoff-parts.ts';
import type { EventDraft } from '../../reference-host/store/event.ts';
import type { Variant } from './variant.ts';

/**
 * dispatch.succeeded is written when the child has ended; until then only node.dispatched names the child, and nothing the
 * worker: dispatch.began does not.
 */
export const handoffsReportedLate: Variant = {
  id: 'handoffs-reported-late',
  parts: ({ handoff }) => ({
    handoff: {
      ...handoff,
      written: (step) => {
        const { kind, drafts, earlier } = step;
        if (kind === 'dispatch.succeeded') return handoff.written({ ...step, drafts: drafts.filter(isNoSuccess) });
        if (kind === 'dispatch.began') return handoff.written({ ...step, drafts: drafts.map(nameless) });
        const succeeded = kind === 'child.ended' ? earlier.findLast((draft) => !isNoSuccess(draft)) : undefined;
        return handoff.written({ ...step, drafts: succeeded === undefined ? drafts : [succeeded, ...drafts] });
      },
    },
  }),
};

/** A begin that names no worker. */
function nameless(draft: EventDraft): EventDraft {
  if (phaseOf(draft) !== 'dispatch.began' || !isObject(draft.payload)) return draft;
  return { ...draft, payload: { ...draft.payload, workerId: null } };
}

function isNoSuccess(draft: EventDraft): boolean {
  return phaseOf(draft) !== 'dispatch.succeeded';
}

/**
 * Decisions are the supervisor's events, a failed dispatch is core.dispatch.failed, node.dispatched is not written, and a
 * handoff has phases of the host's own: one before it begins, and one between the success of the dispatch and the child's end.
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
        const drafts = step.drafts
          .filter(({ type }) => type !== 'node.dispatched')
          .flatMap((draft) => (phaseOf(draft) === 'dispatch.began' ? afterPending(draft) : [draft]));
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

const PENDING = 'x-vendor.dispatch.pending';

/** A begin behind a phase of the host's own, which has its cause. */
function afterPending(began: EventDraft): readonly EventDraft[] {
  const payload = { ...(began.payload as JsonObject), phase: PENDING };
  return [
    { ...began, payload },
    { ...began, causedBy: (event) => phaseOf(event) === PENDING },
  ];
}

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
