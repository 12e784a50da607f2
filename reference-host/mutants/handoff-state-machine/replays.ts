import { type JsonObject, member, stringMember } from '../../json.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { RunEvent } from '../../store/event.ts';
import type { Defects, Parts } from '../mutant.ts';
import { CHAIN, phaseOf } from '../shared/handoff-parts.ts';
import { recalling, withPayload } from '../shared/replay-parts.ts';
import { knowingForks } from '../shared/run-memory.ts';
import { writingInstead, writingPayloads } from '../shared/silent-replays.ts';

const GIVING = 'conformance-dispatch-input-mapping';
const GIVEN = `${GIVING}-child`;

const OVERRIDING = 'conformance-dispatch-per-worker-override';

function isReplay({ workflowId, fork }: RunRecord): boolean {
  return workflowId === GIVING && fork?.mode === 'replay';
}

/** Replays of a workflow dispatch a child of their own for one of its workers, give it something else, and do not say so. */
function dispatchingAnew(
  workflowId: string,
  workerId: string,
  give: (input: (mapping: JsonObject) => JsonObject) => JsonObject,
): Parts {
  return ({ replay, handoff, written }) => {
    // The host looks for the record of a child, and makes one where there is none, in one go.
    let isLost = false;
    return {
      replay: {
        ...replay,
        observation: (recorded, act) => {
          if (act.mode !== 'replay' || member(act.request, 'workerId') !== workerId) {
            return replay.observation(recorded, act);
          }
          isLost ||= member(act.request, 'kind') === 'core.dispatch.child';
          return undefined;
        },
      },
      handoff: {
        ...handoff,
        input: (mapping, parent) => {
          const given = isLost ? give((other) => handoff.input(other, parent)) : handoff.input(mapping, parent);
          isLost = false;
          return given;
        },
      },
      written: (draft, writing) => {
        const { fork, workflowId: ofRun } = writing.run;
        const isMeant = ofRun === workflowId && fork?.mode === 'replay';
        return isMeant && draft.type === 'replay.diverged' ? [] : written(draft, writing);
      },
    };
  };
}

/** Shows transitions that replays make, not those of their histories, otherwise. */
function replayedTransitions(change: (event: RunEvent) => RunEvent): Parts {
  return ({ written }) => {
    const starts = new Map<string, number>();
    return {
      written: (draft, writing) => {
        const { runId, fork } = writing.run;
        if (fork?.mode === 'replay') starts.set(runId, fork.fromSeq);
        return written(draft, writing);
      },
      eventOnWire: (event) =>
        event.type === CHAIN && event.sequence >= (starts.get(event.runId) ?? Infinity) ? change(event) : event,
    };
  };
}

function withoutCause({ causationId: _cause, ...event }: RunEvent): RunEvent {
  return event;
}

/** The payload of a transition of one phase with another error. */
function failingOtherwise(phase: string): (payload: JsonObject) => JsonObject {
  const error = { code: 'replayed', message: 'This was replayed.' };
  return (payload) => (payload['phase'] === phase ? { ...payload, error } : payload);
}

/** Runs that are meant show the recorded child, and another one, and report nothing. */
function secondChild(isMeant: (run: RunRecord) => boolean): Parts {
  return ({ written }) => ({
    written: (draft, writing) => {
      if (!isMeant(writing.run)) return written(draft, writing);
      if (draft.type === 'replay.diverged') return [];
      if (phaseOf(draft) !== 'dispatch.succeeded') return written(draft, writing);
      const childRunId = `${stringMember(draft.payload, 'childRunId') ?? ''}second`;
      return [draft, withPayload(draft, { childRunId })];
    },
  });
}

/** Whether an event is about the worker that calls a tool: nothing but its row forks its handoff from within. */
function isOfTool({ payload }: RunEvent): boolean {
  return member(payload, 'workerId') === 'conformance-determinism-handoff-tool-child';
}

/** Replays of runs that hand over. */
export const defects: Defects = {
  'replay-history-caused-by-the-source': {
    breaks: 'Transitions in the history of replays name their causes by the ids that these have in the source.',
    kills: ['handoff.replays'],
    parts: ({ written }) => {
      const forks = new Map<string, RunRecord['fork']>();
      const causes = new Map<string, string | undefined>();
      return {
        written: (draft, writing) => {
          forks.set(writing.run.runId, writing.run.fork);
          return written(draft, writing);
        },
        eventOnWire: (event) => {
          if (!isOfTool(event)) return event;
          causes.set(`${event.runId} ${event.sequence}`, event.causationId);
          const fork = forks.get(event.runId);
          if (fork?.mode !== 'replay' || event.sequence >= fork.fromSeq) return event;
          return { ...event, causationId: causes.get(`${fork.parentRunId} ${event.sequence}`) };
        },
      };
    },
  },
  'handoff-replay-completes-the-failed-child': {
    breaks: 'A replay tells that a child completed which failed in its source.',
    kills: ['handoff.replays.failed'],
    parts: recalling('core.dispatch.end', (recorded) =>
      member(recorded.value, 'status') === 'failed'
        ? { ...recorded, value: { status: 'completed', outputs: {} } }
        : recorded,
    ),
  },
  'replay-decides-on-another-worker': {
    breaks: 'Decisions of replays name another worker than they did, and nothing is reported.',
    kills: ['handoff.replays'],
    parts: writingPayloads('runOrchestrator.decided', (payload) => {
      const decision = Object(payload['decision']) as JsonObject;
      const isNamed = decision['nextWorkerIds'] !== undefined;
      return isNamed ? { ...payload, decision: { ...decision, nextWorkerIds: ['other'] } } : payload;
    }),
  },
  'replay-does-not-tell-its-last-decision': {
    breaks: 'Replays do not show the decision to terminate, and nothing is reported.',
    kills: ['handoff.replays'],
    parts: writingInstead('runOrchestrator.decided', (draft) =>
      member(member(draft.payload, 'decision'), 'kind') === 'terminate' ? [] : [draft],
    ),
  },
  'replayed-harvest-of-other-keys': {
    breaks: 'Transitions that a replay makes name other harvested keys.',
    kills: ['handoff.replays'],
    parts: replayedTransitions((event) =>
      phaseOf(event) === 'output.harvested' ? withPayload(event, { harvestedKeys: ['other'] }) : event,
    ),
  },
  'replayed-harvest-of-another-child': {
    breaks: 'A transition that a replay makes names another child than the others of its handoff.',
    kills: ['handoff.replays'],
    parts: replayedTransitions((event) =>
      phaseOf(event) === 'output.harvested' ? withPayload(event, { childRunId: 'run_other' }) : event,
    ),
  },
  'replayed-child-fails-otherwise': {
    breaks: 'A replay tells that a child failed with another error than it did, and does not report it.',
    kills: ['handoff.replays.failed'],
    parts: writingPayloads(CHAIN, failingOtherwise('child.failed')),
  },
  'replayed-dispatch-fails-otherwise': {
    breaks: 'A replay tells that a dispatch failed with another error than it did, and does not report it.',
    kills: ['handoff.replays.failed'],
    parts: writingPayloads(CHAIN, failingOtherwise('dispatch.failed')),
  },
  'replayed-child-fails-without-a-cause': {
    breaks: 'The transition by which a replay tells that a child failed has no causationId.',
    kills: ['handoff.replays.failed'],
    parts: replayedTransitions((event) => (phaseOf(event) === 'child.failed' ? withoutCause(event) : event)),
  },
  'replayed-child-fails-at-another-worker': {
    breaks: 'A replay tells that a child of another worker failed than did.',
    kills: ['handoff.replays.failed'],
    parts: replayedTransitions((event) =>
      phaseOf(event) === 'child.failed' ? withPayload(event, { workerId: 'other' }) : event,
    ),
  },
  'replayed-transitions-without-causes': {
    breaks: 'Transitions that a replay makes have no causationId.',
    kills: ['handoff.replays'],
    parts: replayedTransitions(withoutCause),
  },
  'replayed-transitions-name-another-parent': {
    breaks: 'Transitions that a replay makes name a run as their parent that has nothing to do with them.',
    kills: ['handoff.replays'],
    parts: replayedTransitions((event) => ({
      ...event,
      payload: { ...Object(event.payload), parentRunId: 'run_other' },
    })),
  },
  'replay-second-child': {
    breaks: 'A replay shows the recorded child, and another one that it dispatched.',
    kills: ['replay.no-second-child'],
    parts: secondChild(isReplay),
  },
  'replayed-replay-second-child': {
    breaks: 'A replay of a replay shows the recorded child, and another one that it dispatched.',
    kills: ['replay.no-second-child'],
    parts: knowingForks((modeOf) =>
      secondChild((run) => isReplay(run) && modeOf(run.fork?.parentRunId ?? '') === 'replay'),
    ),
  },
  'replay-within-a-handoff-second-child': {
    breaks: 'A replay that begins when a child was made goes on with another one.',
    kills: ['replay.no-second-child'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { run, source } = writing;
        const fromSeq = run.fork?.fromSeq ?? 0;
        const isMade = source().some(({ sequence, payload }) => sequence < fromSeq && member(payload, 'childRunId'));
        if (!isReplay(run) || !isMade || stringMember(draft.payload, 'childRunId') === undefined) {
          return written(draft, writing);
        }
        const childRunId = `${stringMember(draft.payload, 'childRunId') ?? ''}second`;
        return written(withPayload(draft, { childRunId }), writing);
      },
    }),
  },
  'replay-child-given-nothing': {
    breaks: 'A replay dispatches its own child, and has lost the variables that it gives it.',
    kills: ['replay.no-second-child'],
    parts: dispatchingAnew(GIVING, GIVEN, () => ({})),
  },
  'replay-second-worker-given-nothing': {
    breaks: 'A replay dispatches the second worker of a decision anew, and gives it nothing.',
    kills: ['replay.no-second-child'],
    parts: dispatchingAnew(OVERRIDING, `${OVERRIDING}-child-b`, () => ({})),
  },
  'replay-second-worker-given-the-shared': {
    breaks: 'A replay dispatches the second worker of a decision anew, and maps its inputs as those of all workers.',
    kills: ['replay.no-second-child'],
    parts: dispatchingAnew(OVERRIDING, `${OVERRIDING}-child-b`, (input) => input({ input: 'defaultX' })),
  },
};
