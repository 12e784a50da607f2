import { isDeepStrictEqual } from 'node:util';
import { isObject, member, stringMember } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import { because, type Defects, type Parts } from '../mutant.ts';
import { CHAIN, phaseOf, writingPhase, writingSteps } from '../shared/handoff-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';

/** Begins behind the answer to a decision of this kind are caused by that answer. */
function beginFromAnswerTo(kind: 'clarify' | 'escalate'): Parts {
  return writingPhase('dispatch.began', (draft, { earlier }) => {
    const isMeant = earlier.some(({ payload }) => member(member(payload, 'decision'), 'kind') === kind);
    return [isMeant ? { ...draft, causedBy: ({ type }) => type === 'interrupt.resolved' } : draft];
  });
}

/** Transitions of these phases do not say what caused them. */
function uncaused(...phases: readonly string[]): Parts {
  return () => ({
    eventOnWire: (event) => {
      const { causationId: _, ...rest } = event;
      return phases.includes(phaseOf(event) ?? '') ? rest : event;
    },
  });
}

/** The causes of transitions. */
export const defects: Defects = {
  'handoff-caused-by-the-last-event': {
    breaks: "A transition's causationId is the last event of the log, whatever that is.",
    kills: ['handoff.causation-chain'],
    parts: writingSteps(({ drafts }) => drafts.map(withoutCause)),
  },
  'handoff-caused-by-its-begin': {
    breaks: 'Every transition of a handoff is caused by its dispatch.began.',
    kills: ['handoff.causation-chain'],
    parts: writingSteps(({ kind, drafts }) =>
      kind === 'dispatch.began'
        ? drafts
        : drafts.map((draft) =>
            phaseOf(draft) === undefined
              ? draft
              : { ...draft, causedBy: (event) => phaseOf(event) === 'dispatch.began' && event.nodeId === draft.nodeId },
          ),
    ),
  },
  'handoff-without-causes': {
    breaks: 'Transitions have no causationId.',
    kills: ['handoff.causation-chain'],
    parts: () => ({
      eventOnWire: (event) => {
        const { causationId: _, ...rest } = event;
        return event.type === CHAIN ? rest : event;
      },
    }),
  },
  'handoff-begin-not-from-its-decision': {
    breaks: 'dispatch.began is caused by node.started, not by the decision.',
    kills: ['handoff.causation-chain'],
    parts: writingPhase('dispatch.began', (draft) => [
      { ...draft, causedBy: (event) => event.type === 'node.started' && event.nodeId === draft.nodeId },
    ]),
  },
  'handoff-begin-before-its-decision': {
    breaks: 'dispatch.began is logged before the decision that it names as its cause.',
    kills: ['handoff.causation-chain'],
    alsoBreaks: because(
      'a cause behind its event is known in neither log when they are compared',
      'replay.no-false-divergence.every-fixture',
      'sequence.prefix-equal',
    ),
    parts: beginningBeforeTheDecision(),
  },
  'handoff-begin-from-the-first-decision': {
    breaks: 'The dispatch.began of every turn is caused by the first decision of the run.',
    kills: ['handoff.causation-chain.turns'],
    parts: writingPhase('dispatch.began', (draft, { earlier }) => {
      const first = earlier.find(({ type }) => type === 'runOrchestrator.decided');
      if (first === undefined) return [draft];
      return [
        {
          ...draft,
          causedBy: ({ type, payload }) => type === first.type && isDeepStrictEqual(payload, first.payload),
        },
      ];
    }),
  },
  'handoff-begin-from-the-begin-before': {
    breaks:
      'The dispatch.began of a later worker is caused by the dispatch.began of another one, whose handoff goes on behind it.',
    kills: ['handoff.causation-chain.two-workers'],
    parts: writingPhase('dispatch.began', (draft) => [
      {
        ...draft,
        ...(isSecond(draft.payload) ? { causedBy: (event) => phaseOf(event) === 'dispatch.began' } : {}),
      },
    ]),
  },
  'handoff-begin-from-the-clarification': {
    breaks: 'The dispatch.began behind an answered clarification is caused by the answer, not by the decision.',
    kills: ['handoff.causation-chain.clarify'],
    parts: beginFromAnswerTo('clarify'),
  },
  'handoff-begin-from-the-escalation': {
    breaks: 'The dispatch.began behind an answered escalation is caused by the answer, not by the decision.',
    kills: ['handoff.causation-chain.escalate'],
    parts: beginFromAnswerTo('escalate'),
  },
  'handoff-chains-mixed-up': {
    breaks: 'The success of a second worker is caused by the begin of the first one.',
    kills: ['handoff.causation-chain.two-workers'],
    parts: writingPhase('dispatch.succeeded', (draft, { turn, earlier }) => {
      const decision = earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
      const first = earlier.slice(decision).find((each) => phaseOf(each) === 'dispatch.began');
      const workerId = member(first?.payload, 'workerId');
      if (turn === 0 && workerId === member(draft.payload, 'workerId')) return [draft];
      return [
        {
          ...draft,
          causedBy: (event) => phaseOf(event) === 'dispatch.began' && member(event.payload, 'workerId') === workerId,
        },
      ];
    }),
  },
  'handoff-nested-chains-mixed-up': {
    breaks: 'The end of a child that hands off itself is caused by the run of the child, not by the transition before.',
    kills: ['handoff.causation-chain.nested'],
    parts: () => ({
      eventOnWire: (event) => {
        const [workerId, childRunId] = [member(event.payload, 'workerId'), member(event.payload, 'childRunId')];
        const isNested = workerId === 'conformance-multi-agent-handoff' && typeof childRunId === 'string';
        return isNested && phaseOf(event) === 'child.completed' ? { ...event, causationId: childRunId } : event;
      },
    }),
  },
  'handoff-of-a-sub-workflow-without-causes': {
    breaks: 'The transitions of core.subWorkflow are all caused by the start of its node.',
    kills: ['handoff.causation-chain.sub-workflow'],
    parts: writingSteps(({ drafts, earlier }) => {
      if (earlier.some(({ type }) => type === 'runOrchestrator.decided')) return drafts;
      return drafts.map((draft) =>
        phaseOf(draft) === undefined
          ? draft
          : { ...draft, causedBy: (event) => event.type === 'node.started' && event.nodeId === draft.nodeId },
      );
    }),
  },
  'handoff-failure-chained': {
    breaks: 'A failed dispatch is reported as the dispatch and the failure of a child.',
    kills: ['handoff.dispatch-failure'],
    parts: writingPhase('dispatch.failed', (draft) => [
      withPayload(draft, { phase: 'dispatch.succeeded' }),
      withPayload(draft, { phase: 'child.failed' }),
    ]),
  },
  'handoff-child-end-without-cause': {
    breaks: 'child.failed and child.cancelled have no causationId.',
    kills: ['handoff.causation-chain.failed'],
    parts: uncaused('child.failed', 'child.cancelled'),
  },
  'handoff-cancellation-without-cause': {
    breaks: 'child.cancelled has no causationId.',
    kills: ['handoff.causation-chain.cancelled'],
    parts: uncaused('child.cancelled'),
  },
  'handoff-failure-from-its-decision': {
    breaks: 'dispatch.failed is caused by the decision, not by its dispatch.began.',
    kills: ['handoff.causation-chain.dispatch-failed'],
    parts: writingPhase('dispatch.failed', (draft) => [
      { ...draft, causedBy: ({ type }) => type === 'runOrchestrator.decided' },
    ]),
  },
  'handoff-child-of-itself': {
    breaks: "A dispatched run's snapshot names the run itself as its parent.",
    kills: ['handoff.child-is-a-run'],
    parts: ({ snapshotOnWire }) => ({
      snapshotOnWire: (snapshot) =>
        snapshotOnWire(
          snapshot['parentNodeId'] === undefined ? snapshot : { ...snapshot, parentRunId: snapshot['runId'] },
        ),
    }),
  },
  'handoff-child-named-as-its-parent': {
    breaks: "A dispatched run's snapshot has its parent's id.",
    kills: ['schema.run-snapshot.wire'],
    seenIn: 'fork.branch',
    parts: ({ snapshotOnWire }) => ({
      snapshotOnWire: (snapshot) =>
        snapshotOnWire(
          snapshot['parentNodeId'] === undefined ? snapshot : { ...snapshot, runId: snapshot['parentRunId'] },
        ),
    }),
  },
};

function withoutCause(draft: EventDraft): EventDraft {
  const { causedBy: _, ...rest } = draft;
  return rest;
}

/** The second of two workers, in their workflows. */
const SECOND: ReadonlySet<unknown> = new Set([
  'conformance-dispatch-cross-worker-handoff-child-b',
  'conformance-determinism-handoff-echo',
]);

function isSecond(payload: unknown): boolean {
  return SECOND.has(member(payload, 'workerId'));
}

/** A decision that names one worker is written behind the begin of its handoff, which names it as its cause all the same. */
function beginningBeforeTheDecision(): Parts {
  return ({ handoff, eventOnWire }) => ({
    handoff: {
      ...handoff,
      written: (step) => {
        const { kind, drafts, earlier, turn } = step;
        if (kind === 'decided' && drafts.some(namesOneWorker)) return [];
        const decided = earlier.findLast(({ type }) => type === 'runOrchestrator.decided');
        if (kind !== 'dispatch.began' || decided === undefined || !namesOneWorker(decided))
          return handoff.written(step);
        const eventId = `late-${String(member(drafts[0]?.payload, 'parentRunId'))}-${turn}`;
        const begun = drafts.map((draft) => withPayload(draft, { [CAUSE]: eventId }));
        return [...begun, { ...decided, eventId }];
      },
    },
    eventOnWire: (event, reading) => {
      const causationId = stringMember(event.payload, CAUSE);
      if (causationId === undefined || !isObject(event.payload)) return eventOnWire(event, reading);
      const { [CAUSE]: _, ...payload } = event.payload;
      return eventOnWire({ ...event, payload, causationId }, reading);
    },
  });
}

/** Where a begin holds the id of the decision behind it; it is never shown. */
const CAUSE = 'decisionBehind';

function namesOneWorker({ payload }: Pick<EventDraft, 'payload'>): boolean {
  const workers = member(member(payload, 'decision'), 'nextWorkerIds');
  return Array.isArray(workers) && workers.length === 1;
}
