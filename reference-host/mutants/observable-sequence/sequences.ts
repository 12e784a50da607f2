import { lowest, turn } from '../../engine/order.ts';
import type { JsonObject } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import { isAboutReplay } from '../../store/event.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { Order } from '../../types/order.ts';
import type { Workflow } from '../../types/workflow.ts';
import { because, type Defects, type Parts, within } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';
import { copied, recalling, withPayload } from '../shared/replay-parts.ts';
import { knowingForks, noticingCancellations } from '../shared/run-memory.ts';
import { answering, changingFrames, showingEvents } from '../shared/run-wire.ts';

/** Some runs end their nodes with another output, and write nothing about a divergence. `isMeant` is asked before each event. */
function puttingOutElse(isMeant: (run: RunRecord) => boolean): Partial<HostParts> {
  return {
    written: (draft, { run }) => {
      if (!isMeant(run)) return [draft];
      if (draft.type === 'node.completed') return [withPayload(draft, { output: 'else' })];
      return isAboutReplay(draft.type) ? [] : [draft];
    },
  };
}

/** Replays call the tools of concurrent branches again and write what their source wrote. */
const callingInVain: Parts = (conformant) => ({
  ...recalling('core.tool.http', (recorded, { nodeId }) => (nodeId.startsWith('branch-') ? undefined : recorded))(
    conformant,
  ),
  written: (draft, { run, source }) => {
    if (run.fork?.mode !== 'replay') return [draft];
    const { nodeId, type } = draft;
    const before = source().find((event) => event.type === type && event.nodeId === nodeId);
    const isMeant = nodeId?.startsWith('branch-') === true && before !== undefined;
    return isMeant ? [{ ...draft, payload: before.payload }] : [draft];
  },
});

/** Workflows whose runs call one model: a public one, and ours. */
const CALLING: ReadonlySet<string> = new Set([
  'conformance-phase4-replay-divergence',
  'conformance-determinism-llm-provider',
]);

/** Changes the events in the logs of runs that others dispatched: of all of them, or of those that forks dispatched. */
function ofChildren(of: 'all' | 'forks', change: (event: JsonObject) => readonly JsonObject[]): Parts {
  return () => {
    const [forks, children] = [new Set<string>(), new Set<string>()];
    return {
      written: (draft, { run }) => {
        if (run.fork !== undefined) forks.add(run.runId);
        const { dispatchedBy } = run;
        if (dispatchedBy !== undefined && (of === 'all' || forks.has(dispatchedBy.runId))) children.add(run.runId);
        return [draft];
      },
      middleware: showingEvents((runId) => children.has(runId), change),
    };
  };
}

/** An event stands behind the end of a log. */
function goingOn(event: JsonObject): readonly JsonObject[] {
  if (event['type'] !== 'run.completed') return [event];
  return [event, { ...event, type: 'log.appended', eventId: 'evt_late', sequence: Number(event['sequence']) + 1 }];
}

/** The order and the numbers of events. */
export const defects: Defects = {
  'log-copied': {
    breaks: 'A replay copies the log of its source instead of executing.',
    kills: ['sequence.not-a-copy'],
    parts: within('replay', () => ({ carryOut: copied })),
  },
  'code-kept-since-the-first-replay': {
    breaks: 'Replays of a run that was replayed before show what it did, whatever its code is by now.',
    kills: ['sequence.not-a-copy'],
    parts: within('replay', ({ carryOut }) => {
      const first = new Map<string, string>();
      return {
        carryOut: (replaying) => {
          const { workflowId, runId, fork } = replaying.run;
          const source = fork?.parentRunId ?? '';
          const known = first.get(source) ?? runId;
          first.set(source, known);
          const isKept = known !== runId && workflowId === 'conformance-determinism-constant';
          return isKept ? copied(replaying) : carryOut(replaying);
        },
      };
    }),
  },
  'forks-show-their-source': {
    breaks: 'Every reading of the log of a fork shows that of its source, ids and all.',
    kills: ['sequence.not-a-copy'],
    parts: (conformant) => {
      const sources = new Map<string, string>();
      return {
        ...forkAnswered((answer, { sourceRunId }) => {
          sources.set(String(answer['runId']), sources.get(sourceRunId) ?? sourceRunId);
          return answer;
        })(conformant),
        middleware: (next) => (request) => {
          const [, runId = ''] = /\/v1\/runs\/([^/]+)\/events/u.exec(request.url) ?? [];
          const source = sources.get(runId);
          if (source === undefined) return next(request);
          const { headers, signal } = request;
          return next(new Request(request.url.replace(runId, source), { headers, signal }));
        },
      };
    },
  },
  'replayed-replay-draws-anew': {
    breaks: 'A replay of a replay draws random numbers anew instead of showing the recorded ones.',
    kills: ['sequence.replay-of-replay'],
    parts: recalling('core.random', (recorded, { ofFork }) => (ofFork ? undefined : recorded)),
  },
  'replayed-replay-inherits-other-values': {
    breaks: 'A replay of a replay inherits the variables that its history wrote with other payloads.',
    kills: ['sequence.replay-of-replay'],
    parts: knowingForks((modeOf) =>
      within('replay', ({ inherited }) => ({
        inherited: (history, fork) =>
          inherited(history, fork).map((event) =>
            modeOf(fork.source[0]?.runId ?? '') === 'replay' && event.type === 'variable.changed'
              ? withPayload(event, { forked: true })
              : event,
          ),
      })),
    ),
  },
  'replayed-fork-writes-other-values': {
    breaks: 'A replay of a fork writes another value into each variable, and does not report it.',
    kills: ['sequence.replay-of-replay'],
    parts: knowingForks((modeOf) => ({ replay, written }) => {
      let isOther = false;
      return {
        replay: { ...replay, diverged: (report) => (isOther ? [] : replay.diverged(report)) },
        written: (draft, writing) => {
          const { fork } = writing.run;
          isOther =
            draft.type === 'variable.changed' && fork?.mode === 'replay' && modeOf(fork.parentRunId) !== undefined;
          return written(isOther ? withPayload(draft, { value: 'another' }) : draft, writing);
        },
      };
    }),
  },
  'replayed-replay-loses-lines-of-tools': {
    breaks: 'A replay of a replay does not show what a tool wrote into the log.',
    kills: ['sequence.replay-of-replay.every-fixture'],
    parts: recalling('core.tool', (recorded, { ofFork }) =>
      ofFork ? { ...recorded, events: recorded.events.filter(({ type }) => type !== 'log.appended') } : recorded,
    ),
  },
  'replayed-replay-names-no-attempts': {
    breaks: 'A replay of a replay shows tool calls without their attempts.',
    kills: ['sequence.replay-of-replay.every-fixture'],
    parts: knowingForks((modeOf) => ({ written }) => ({
      written: (draft, writing) => {
        const isMeant =
          draft.type === 'tool_invocation_started' && modeOf(writing.run.fork?.parentRunId ?? '') === 'replay';
        return written(isMeant ? withPayload(draft, { attempt_id: undefined }) : draft, writing);
      },
    })),
  },
  'replayed-replay-shows-no-causes-of-channels': {
    breaks: 'A replay of a replay shows what is written to channels without its cause.',
    kills: ['sequence.replay-of-replay.every-fixture'],
    parts: () => {
      const forks = new Map<string, string | undefined>();
      return {
        written: (draft, { run: { runId, fork } }) => {
          forks.set(runId, fork?.parentRunId);
          return [draft];
        },
        eventOnWire: (event) => {
          const isDeep = forks.get(forks.get(event.runId) ?? '') !== undefined;
          return event.type === 'channel.written' && isDeep ? { ...event, causationId: undefined } : event;
        },
      };
    },
  },
  'replay-counts-no-tokens-and-says-so': {
    breaks: 'A replay counts other tokens than its source, and reports that it differs.',
    kills: ['sequence.state-equal.every-fixture'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const isMeant = draft.type === 'provider.usage' && writing.run.fork?.mode === 'replay';
        return written(isMeant ? withPayload(draft, { inputTokens: 0 }) : draft, writing);
      },
    }),
  },
  'replayed-replay-of-a-call-puts-out-something-else': {
    breaks: 'The nodes of a replay of a replay put something else out where they call a model, and nothing says so.',
    kills: ['sequence.replay-of-replay.every-fixture'],
    parts: () => {
      const forks = new Set<string>();
      return puttingOutElse(({ runId, workflowId, fork }) => {
        if (fork?.mode === 'replay') forks.add(runId);
        return CALLING.has(workflowId) && fork?.mode === 'replay' && forks.has(fork.parentRunId);
      });
    },
  },
  'replayed-replay-puts-out-something-else': {
    breaks: 'The nodes of a replay of a replay put something else out, and nothing says so.',
    kills: ['sequence.replay-of-replay'],
    parts: () => {
      const forks = new Set<string>();
      return puttingOutElse(({ runId, fork }) => {
        if (fork?.mode === 'replay') forks.add(runId);
        return fork?.mode === 'replay' && forks.has(fork.parentRunId);
      });
    },
  },
  'third-replay-puts-out-something-else': {
    breaks:
      'The nodes of a replay of a replay that is one of a replay itself put something else out, and nothing says so.',
    kills: ['sequence.replay-of-replay'],
    parts: () => {
      const depths = new Map<string, number>();
      return puttingOutElse(({ runId, fork }) => {
        if (fork?.mode !== 'replay') return false;
        const depth = (depths.get(fork.parentRunId) ?? 0) + 1;
        depths.set(runId, depth);
        return depth > 2;
      });
    },
  },
  'seventh-replay-puts-out-something-else': {
    breaks: "The nodes of a run's seventh replay and of later ones put something else out, and nothing says so.",
    kills: ['sequence.state-equal.concurrent'],
    parts: () => {
      const replays = new Map<string, string[]>();
      return puttingOutElse(({ runId, fork }) => {
        const all = replays.get(fork?.parentRunId ?? runId) ?? [];
        if (fork?.mode === 'replay' && !all.includes(runId)) replays.set(fork.parentRunId, [...all, runId]);
        return all.slice(6).includes(runId);
      });
    },
  },
  'branches-in-definition-order': {
    breaks: 'A replay writes concurrent branches in the order of the definition.',
    kills: ['sequence.parallel-branches'],
    alsoBreaks: { 'sequence.state-equal': 'what the last branch wrote is another value' },
    parts: within('replay', () => ({ order: (_, workflow) => asDefined(workflow, 1) })),
  },
  'branches-reversed': {
    breaks: 'A replay writes concurrent branches in the reverse of the definition.',
    kills: ['sequence.parallel-branches'],
    alsoBreaks: { 'sequence.state-equal': 'what the last branch wrote is another value' },
    parts: within('replay', () => ({ order: (_, workflow) => asDefined(workflow, -1) })),
  },
  'concurrent-tools-called-in-vain': {
    breaks:
      'A replay of concurrent branches calls their tools again, and shows what is recorded in the order of the new answers.',
    kills: ['replay.no-second-external-call.parallel'],
    alsoBreaks: {
      'sequence.parallel-branches': 'the branches end in the order in which their tools answer this time',
      'sequence.state-equal': 'what is written last is another value',
    },
    parts: callingInVain,
  },
  'ended-run-cancelled': {
    breaks: 'A run that has ended and is to be cancelled ends once more.',
    kills: ['sequence.single-terminal-event'],
    parts: endingTwice('run.completed', 1),
  },
  'cancelled-run-cancelled-again': {
    breaks: 'A run that was cancelled and is to be cancelled again ends once more.',
    kills: ['sequence.single-terminal-event'],
    parts: endingTwice('run.cancelled', 2),
  },
  'cancelled-run-goes-on': {
    breaks: 'A run that is cancelled while its tool is asked goes on behind its end when that has answered.',
    kills: ['sequence.single-terminal-event'],
    seenIn: 'replay.no-second-external-call',
    parts: () => {
      const cancelled = new Set<string>();
      const late = new Set<string>();
      return {
        written: (draft, { run }) => {
          if (cancelled.has(run.runId) && draft.nodeId !== undefined) late.add(run.runId);
          if (draft.type === 'run.cancelled') cancelled.add(run.runId);
          return [draft];
        },
        middleware: showingEvents(
          (runId) => late.has(runId),
          (event) => (event['type'] === 'run.cancelled' ? [event, endOfNodeAfter(event)] : [event]),
        ),
      };
    },
  },
  'replay-ends-twice': {
    breaks: 'A replay ends twice.',
    kills: ['sequence.single-terminal-event'],
    parts: () => {
      const replays = new Set<string>();
      return {
        written: (draft, { run }) => {
          if (run.fork?.mode === 'replay') replays.add(run.runId);
          return [draft];
        },
        middleware: showingEvents(
          (runId) => replays.has(runId),
          (event) =>
            /^run\.(?:completed|failed|cancelled)$/u.test(String(event['type']))
              ? [event, { ...event, eventId: 'evt_second_end', sequence: Number(event['sequence']) + 1 }]
              : [event],
        ),
      };
    },
  },
  'branch-fails-and-completes': {
    breaks: 'A branch that completes shows that it failed before that.',
    kills: ['sequence.single-terminal-event'],
    parts: () => {
      const branches = new Set<string>();
      return {
        written: (draft, { run }) => {
          if (run.fork?.mode === 'branch') branches.add(run.runId);
          return [draft];
        },
        middleware: showingEvents(
          (runId) => branches.has(runId),
          (event) =>
            event['type'] === 'run.completed'
              ? [
                  { ...event, type: 'run.failed', eventId: 'evt_first_end', payload: { error: { code: 'failed' } } },
                  { ...event, sequence: Number(event['sequence']) + 1 },
                ]
              : [event],
        ),
      };
    },
  },
  'children-go-on-behind-their-end': {
    breaks: 'The log of a child has an event behind its end.',
    kills: ['sequence.single-terminal-event'],
    seenIn: 'handoff.given-inputs',
    parts: ofChildren('all', goingOn),
  },
  'children-of-forks-go-on-behind-their-end': {
    breaks: 'The log of a child that a fork dispatched has an event behind its end.',
    kills: ['sequence.single-terminal-event'],
    seenIn: 'replay.no-second-child',
    parts: ofChildren('forks', goingOn),
  },
  'children-never-end': {
    breaks: 'The log of a child has no terminal event, while its snapshot says that it completed.',
    kills: ['sequence.single-terminal-event'],
    seenIn: 'handoff.nested',
    waits: true,
    parts: ofChildren('all', (event) => (event['type'] === 'run.completed' ? [] : [event])),
  },
  'children-repeat-a-number': {
    breaks: 'In the log of a child the end of a node has the number of its start.',
    kills: ['sequence.monotonic'],
    seenIn: 'handoff.nested',
    parts: ofChildren('all', (event) =>
      event['type'] === 'node.completed' ? [{ ...event, sequence: Number(event['sequence']) - 1 }] : [event],
    ),
  },
  'logs-never-end': {
    breaks: 'A log ends with an event of a type that there is not, while the snapshot says that the run completed.',
    kills: ['sequence.single-terminal-event'],
    alsoBreaks: because('a stream announces that event as the end that it is not', 'sequence.transports-agree'),
    waits: true,
    parts: () => ({
      eventOnWire: (event) => (event.type === 'run.completed' ? { ...event, type: 'run.complete' } : event),
    }),
  },
  'stream-shows-writes-late': {
    breaks: 'A stream shows what a node wrote into a variable behind the event that came after it.',
    kills: ['sequence.monotonic'],
    parts: answering('GET', /\/events$/u, async (answer) => {
      const response = await answer();
      if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
      let late: JsonObject | undefined;
      return changingFrames(response, (event) => {
        const before = late;
        late = before === undefined && event['type'] === 'variable.changed' ? event : undefined;
        if (late !== undefined) return [];
        return before === undefined ? [event] : [event, before];
      });
    }),
  },
  'third-event-repeats-a-number': {
    breaks: 'The third event of a log has the number of the second.',
    kills: ['sequence.monotonic'],
    parts: () => ({
      eventOnWire: (event) => (event.sequence === 2 ? { ...event, sequence: 1 } : event),
    }),
  },
  'all-events-have-one-number': {
    breaks: 'All events of a log have the same number.',
    kills: ['sequence.monotonic'],
    parts: () => ({ eventOnWire: (event) => ({ ...event, sequence: 7 }) }),
  },
  'number-is-fractional': {
    breaks: 'The numbers of events that write a channel lie between two whole ones.',
    kills: ['sequence.monotonic'],
    seenIn: 'region.same-fork',
    parts: () => ({
      eventOnWire: (event) => (event.type === 'channel.written' ? { ...event, sequence: event.sequence - 0.5 } : event),
    }),
  },
  'numbers-begin-below-zero': {
    breaks: 'The first number of a log is negative.',
    kills: ['sequence.monotonic'],
    parts: () => ({
      eventOnWire: (event) => (event.sequence === 0 ? { ...event, sequence: -1 } : event),
    }),
  },
  'started-twice': {
    breaks: 'A full replay of one workflow starts twice.',
    kills: ['sequence.state-equal.concurrent'],
    parts: () => ({
      written: (draft, { run }) =>
        draft.type === 'run.started' &&
        run.fork?.mode === 'replay' &&
        run.workflowId === 'conformance-determinism-random'
          ? [draft, draft]
          : [draft],
    }),
  },
  'branches-share-a-number': {
    breaks: 'A branch that starts while others run takes the number that the event before it has.',
    kills: ['sequence.monotonic'],
    seenIn: 'sequence.parallel-branches',
    parts: () => ({
      eventOnWire: (event) =>
        event.type === 'node.started' && event.nodeId === 'branch-b'
          ? { ...event, sequence: event.sequence - 1 }
          : event,
    }),
  },
  'replay-unescapes-inputs': {
    breaks: 'A replay is given the inputs of its source without the backslashes of their texts.',
    kills: ['sequence.state-equal'],
    parts: within('replay', (replay) => ({
      startsFrom: (state, run) => {
        const start = replay.startsFrom(state, run);
        if (run.fork?.mode !== 'replay') return start;
        const inputs = unescaped(start.options.inputs) as JsonObject;
        return { ...start, options: { ...start.options, inputs } };
      },
    })),
  },
  'replay-forgets-options': {
    breaks: 'A replay runs without the configurable values of its source.',
    kills: ['sequence.state-equal'],
    parts: within('replay', (replay) => ({
      startsFrom: (state, run) => {
        const start = replay.startsFrom(state, run);
        return run.fork?.mode === 'replay' ? { ...start, options: { ...start.options, configurable: {} } } : start;
      },
    })),
  },
};

/** JSON whose texts have no backslashes. */
function unescaped(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? each.replaceAll('\\', '') : each,
  );
}

/** By the definition and not by the source: all events of the first node, then those of the next, forwards or backwards. */
export function asDefined({ nodes }: Pick<Workflow, 'nodes'>, direction: 1 | -1): Order {
  const ids = nodes.map(({ id }) => id);
  return {
    choose: async (beginning, going) =>
      lowest(await Promise.all([...going, ...beginning].map(turn)), ({ run, draft }) =>
        draft === undefined ? -Infinity : direction * ids.indexOf(run.node.id),
      ),
  };
}

/** Shows a second end behind the first one of this type, once a run was to be cancelled so often. */
function endingTwice(end: string, times: number): Parts {
  return () => {
    const cancelled = new Map<string, number>();
    const isMeant = (runId: string): boolean => (cancelled.get(runId) ?? 0) >= times;
    const showing = showingEvents(isMeant, (event) =>
      event['type'] === end ? [event, cancelledAfter(event)] : [event],
    );
    const count = (runId: string): void => void cancelled.set(runId, (cancelled.get(runId) ?? 0) + 1);
    return { middleware: (next) => noticingCancellations(showing(next), count) };
  };
}

function cancelledAfter(event: JsonObject): JsonObject {
  const next = { eventId: `${String(event['eventId'])}-2`, sequence: Number(event['sequence']) + 1 };
  return { ...event, ...next, type: 'run.cancelled' };
}

function endOfNodeAfter(event: JsonObject): JsonObject {
  return { ...cancelledAfter(event), type: 'node.completed', nodeId: 'second' };
}
