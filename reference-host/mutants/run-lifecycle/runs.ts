import { isObject, type JsonObject } from '../../json.ts';
import { isTerminal } from '../../store/event.ts';
import { refusal, respond } from '../../types/answers.ts';
import { type Defect, type Defects, type Parts, seenIn } from '../mutant.ts';
import { leftOut } from '../shared/fork-parts.ts';
import { knowingForks, noticingCancellations } from '../shared/run-memory.ts';
import { answered, answering } from '../shared/run-wire.ts';

type Fits = (snapshot: JsonObject) => boolean;

const ANY: Fits = () => true;
const FAILED: Fits = ({ status }) => status === 'failed';
const COMPLETED: Fits = ({ status }) => status === 'completed';
const CANCELLED: Fits = ({ status }) => status === 'cancelled';
const WAITS: Fits = ({ status }) => String(status).startsWith('waiting-');
const FORKS: Fits = ({ forkMode }) => forkMode !== undefined && forkMode !== null;
const ENDED: Fits = (snapshot) => FAILED(snapshot) || COMPLETED(snapshot) || CANCELLED(snapshot);
const REPLAYS: Fits = ({ forkMode }) => forkMode === 'replay';

/** The code with which a replay fails at another answer than its source got. */
const REFUSED = 'replay_diverged_at_refusal';

/** A defect of the snapshots that fit: they say something else than their run's log. */
function showing(fits: Fits, breaks: string, change: (snapshot: JsonObject) => JsonObject): Defect {
  return {
    breaks,
    kills: ['run.snapshot-agrees'],
    parts: () => ({ snapshotOnWire: (snapshot) => (fits(snapshot) ? change(snapshot) : snapshot) }),
  };
}

/** A snapshot with one variable more. */
function withVariable(snapshot: JsonObject, name: string, value: unknown): JsonObject {
  return {
    ...snapshot,
    variables: { ...(isObject(snapshot['variables']) ? snapshot['variables'] : {}), [name]: value },
  };
}

/** The values of a snapshot's member, changed; none where it has none. */
function values(snapshot: JsonObject, member: string, change: (value: unknown) => unknown): JsonObject {
  const shown = snapshot[member];
  if (!isObject(shown)) return snapshot;
  return {
    ...snapshot,
    [member]: Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, change(value)])),
  };
}

/** Snapshots that fit say so the first time, and something else from then on. */
function onceShown(fits: Fits, breaks: string, change: (snapshot: JsonObject) => JsonObject): Defect {
  return {
    breaks,
    kills: ['run.snapshot-agrees'],
    parts: () => {
      const shown = new Set<unknown>();
      return {
        snapshotOnWire: (snapshot) => {
          if (!fits(snapshot)) return snapshot;
          const isFirst = !shown.has(snapshot['runId']);
          shown.add(snapshot['runId']);
          return isFirst ? snapshot : change(snapshot);
        },
      };
    },
  };
}

const CREATION = /^\/v1\/runs$/u;
const LOG = /^\/v1\/runs\/[^/]+\/events(?:\/poll)?$/u;
const SNAPSHOT = /^\/v1\/runs\/[^/:]+$/u;

/** Snapshots that cannot be read as what they are. */
function snapshotsAs(breaks: string, shown: (snapshot: unknown) => Response): Defect {
  const parts = answering('GET', SNAPSHOT, async (answer) => {
    const response = await answer();
    return response.status === 200 ? shown(await response.json()) : response;
  });
  return { breaks, kills: ['run.created'], waits: true, parts };
}

/** Shows a run as cancelled once somebody wanted to cancel it, however it had ended. */
const cancelledAfterAll: Parts = () => {
  const wanted = new Set<unknown>();
  return {
    middleware: (next) => noticingCancellations(next, (runId) => void wanted.add(runId)),
    snapshotOnWire: (snapshot) =>
      FAILED(snapshot) && wanted.has(snapshot['runId']) ? { ...snapshot, status: 'cancelled', error: null } : snapshot,
  };
};

/** A run cannot be made or read, so that nothing else can be judged; or its snapshot does not say what its log says. */
export const defects: Defects = {
  'runs-not-made': {
    breaks: 'The discovery document names workflows, and every run is refused with 501.',
    kills: ['run.created'],
    parts: answering('POST', CREATION, () => respond(refusal(501, 'not_implemented', 'No runs are made here.'))),
  },
  'named-workflows-unknown': {
    breaks: 'The workflows that the discovery document names are unknown when a run of them is to be made.',
    kills: ['run.created'],
    parts: answering('POST', CREATION, () => respond(refusal(404, 'not_found', 'There is no such workflow.'))),
  },
  'run-id-left-out': {
    breaks: 'The answer to POST /v1/runs names no run.',
    kills: ['run.created'],
    parts: answered('POST', CREATION, async (made) => {
      const body: unknown = await made.json();
      return Response.json(isObject(body) ? { ...body, runId: undefined } : body, { status: made.status });
    }),
  },
  'logs-nowhere': {
    breaks: 'The log of a run that was made is at none of its addresses.',
    kills: ['run.created'],
    waits: true,
    parts: answering('GET', LOG, () => respond(refusal(404, 'not_found', 'There is no such run.'))),
  },
  'snapshots-not-served': {
    breaks: 'The snapshot of a run that was made is answered with 501.',
    kills: ['run.created'],
    waits: true,
    parts: answering('GET', SNAPSHOT, () => respond(refusal(501, 'not_implemented', 'No snapshots are served here.'))),
  },
  'snapshots-in-a-list': snapshotsAs('The snapshot of a run that was made comes in a list of one.', (snapshot) =>
    Response.json([snapshot]),
  ),
  'snapshots-answered-with-201': snapshotsAs(
    'The snapshot of a run that was made is answered with 201 instead of 200.',
    (snapshot) => Response.json(snapshot, { status: 201 }),
  ),
  'failure-shown-as-success': showing(
    FAILED,
    'The snapshot of a run whose log ends with run.failed says that it completed.',
    (snapshot) => ({ ...snapshot, status: 'completed' }),
  ),
  'success-shown-as-failure': showing(
    COMPLETED,
    'The snapshot of a run whose log ends with run.completed says that it failed.',
    (snapshot) => ({ ...snapshot, status: 'failed' }),
  ),
  'snapshot-stays-behind': {
    ...showing(FAILED, 'The snapshot of a failed run never says that it has ended.', (snapshot) => ({
      ...snapshot,
      status: 'running',
    })),
    waits: true,
  },
  'snapshot-of-a-replayed-end-stays-behind': {
    breaks: 'The snapshot of a replay from the last event of its source never says that it has ended.',
    kills: ['run.snapshot-agrees'],
    waits: true,
    parts: ({ written }) => {
      const ends = new Map<string, number>();
      const replayed = new Set<unknown>();
      return {
        written: (draft, writing) => {
          const { runId, fork } = writing.run;
          if (fork?.mode === 'replay' && fork.fromSeq === ends.get(fork.parentRunId)) replayed.add(runId);
          return written(draft, writing);
        },
        eventOnWire: (event) => {
          if (isTerminal(event.type)) ends.set(event.runId, event.sequence);
          return event;
        },
        snapshotOnWire: (snapshot) => (replayed.has(snapshot['runId']) ? { ...snapshot, status: 'running' } : snapshot),
      };
    },
  },
  'failure-shown-as-executing': {
    ...showing(FAILED, 'The snapshot of a failed run says for ever that it is executing.', (snapshot) => ({
      ...snapshot,
      status: 'executing',
    })),
    waits: true,
  },
  'ends-shown-as-success': {
    ...showing(ENDED, 'The snapshot of a run that has ended says that it succeeded, however it ended.', (snapshot) => ({
      ...snapshot,
      status: 'succeeded',
    })),
    waits: true,
  },
  'ends-shown-in-one-word': {
    ...showing(
      ENDED,
      'The snapshot of a run that has ended says that it has finished, and nothing of how.',
      ({ error: _error, ...snapshot }) => ({ ...snapshot, status: 'finished' }),
    ),
    waits: true,
  },
  'success-shown-with-an-error': showing(
    COMPLETED,
    'The snapshot of a run whose log ends with run.completed shows an error.',
    (snapshot) => ({ ...snapshot, error: { code: 'boom', message: 'It went wrong.' } }),
  ),
  'waiting-shown-as-completed': showing(
    WAITS,
    'The snapshot of a run that waits for an answer says that it has completed.',
    (snapshot) => ({ ...snapshot, status: 'completed' }),
  ),
  'cancelled-shown-as-failed': showing(
    CANCELLED,
    'The snapshot of a run whose log ends with run.cancelled says that it failed.',
    (snapshot) => ({ ...snapshot, status: 'failed' }),
  ),
  'failure-shown-as-cancelled-afterwards': {
    breaks: 'The snapshot of a failed run that somebody wants to cancel says that it was cancelled.',
    kills: ['run.snapshot-agrees'],
    seenIn: 'sequence.readings',
    parts: cancelledAfterAll,
  },
  'snapshot-error-generalised': showing(
    FAILED,
    'The snapshot of a failed run shows one error code for whatever went wrong.',
    (snapshot) => ({ ...snapshot, error: { code: 'run_failed', message: 'The run failed.' } }),
  ),
  'snapshot-error-forgotten': showing(
    (snapshot) => REPLAYS(snapshot) && FAILED(snapshot),
    'The snapshot of a replay that failed has null in the place of the error, which that of any other run shows.',
    (snapshot) => ({ ...snapshot, error: null }),
  ),
  'replay-snapshot-without-its-error': showing(
    (snapshot) => REPLAYS(snapshot) && FAILED(snapshot),
    'The snapshot of a replay that failed leaves out the error, which that of any other run shows.',
    (snapshot) => leftOut(snapshot, 'error'),
  ),
  'snapshots-without-status': {
    ...showing(ANY, 'No snapshot has a status.', ({ status: _status, ...rest }) => rest),
    kills: ['schema.run-snapshot'],
  },
  'fork-snapshots-without-status': {
    ...showing(FORKS, 'The snapshots of forks have no status.', ({ status: _status, ...rest }) => rest),
    kills: ['schema.run-snapshot'],
  },
  'fork-snapshots-without-variables': {
    ...showing(FORKS, 'The snapshots of forks have no variables.', ({ variables: _variables, ...rest }) => rest),
    kills: ['sequence.state-equal'],
  },
  'snapshot-variables-initial': showing(
    COMPLETED,
    'The snapshot of a run that has ended shows no value that the run gave its variables.',
    (snapshot) => values(snapshot, 'variables', () => null),
  ),
  'end-status-shown-once': {
    ...onceShown(
      COMPLETED,
      'The snapshot of a run that has completed says so the first time, and later that it goes on.',
      (snapshot) => ({ ...snapshot, status: 'running' }),
    ),
    waits: true,
  },
  'end-status-turns-into-failure': onceShown(
    COMPLETED,
    'The snapshot of a run that has completed says so the first time, and later that it failed.',
    (snapshot) => ({ ...snapshot, status: 'failed' }),
  ),
  'end-variables-of-branches-shown-once': onceShown(
    (snapshot) => COMPLETED(snapshot) && snapshot['forkMode'] === 'branch',
    'The snapshot of a branch that has completed shows its variables the first time, and others later.',
    (snapshot) => values(snapshot, 'variables', () => 'other'),
  ),
  'end-variables-of-replays-shown-once': onceShown(
    (snapshot) => COMPLETED(snapshot) && REPLAYS(snapshot),
    'The snapshot of a replay that has completed shows its variables the first time, and others later.',
    (snapshot) => values(snapshot, 'variables', () => 'other'),
  ),
  'snapshot-variables-counted': {
    ...showing(
      (snapshot) => COMPLETED(snapshot) && Object.keys(snapshot['variables'] ?? {}).length > 0,
      'The snapshot of a run that has ended shows how many variables it has, in their place.',
      (snapshot) => ({ ...snapshot, variables: Object.keys(snapshot['variables'] ?? {}).length }),
    ),
    alsoBreaks: { 'schema.run-snapshot.wire': 'a number is no object' },
  },
  'snapshot-texts-go-on': showing(
    COMPLETED,
    'The snapshot of a run that has completed shows each variable that is a text with one more letter.',
    (snapshot) => values(snapshot, 'variables', (value) => (typeof value === 'string' ? `${value}x` : value)),
  ),
  'snapshot-texts-exclaimed': showing(
    COMPLETED,
    'The snapshot of a run that has completed shows each variable that is a text with a mark behind it.',
    (snapshot) => values(snapshot, 'variables', (value) => (typeof value === 'string' ? `${value}!` : value)),
  ),
  'snapshot-channels-emptied': showing(
    COMPLETED,
    'The snapshot of a run that has ended shows empty channels.',
    (snapshot) => values(snapshot, 'channels', () => []),
  ),
  'snapshot-channels-garbled': showing(
    COMPLETED,
    'The snapshot of a run that has ended shows in its channels what nothing wrote.',
    (snapshot) => values(snapshot, 'channels', () => ({ count: 'garbled' })),
  ),
  'end-status-in-own-words': showing(
    (snapshot) => REPLAYS(snapshot) && COMPLETED(snapshot),
    'The snapshot of a replay that has completed says that it succeeded.',
    (snapshot) => ({ ...snapshot, status: 'succeeded' }),
  ),
  'cancelled-child-shown-as-failed': seenIn(
    'handoff.cancelled-child',
    showing(
      ({ status, parentRunId }) => status === 'cancelled' && typeof parentRunId === 'string',
      'The snapshot of a child that was cancelled says that it failed.',
      (snapshot) => ({ ...snapshot, status: 'failed' }),
    ),
  ),
  'child-shows-a-value-of-nobody': seenIn(
    'handoff.public-fixture',
    showing(
      ({ parentNodeId }) => parentNodeId !== undefined,
      'The snapshot of a run that another one dispatched shows a variable of which no log knows.',
      (snapshot) => withVariable(snapshot, 'ghost', 1),
    ),
  ),
  'child-shows-no-variables': seenIn(
    'handoff.public-fixture',
    showing(
      (snapshot) => snapshot['parentNodeId'] !== undefined && COMPLETED(snapshot),
      'The snapshot of a run that another one dispatched shows none of the variables that its log writes.',
      (snapshot) => ({ ...snapshot, variables: {} }),
    ),
  ),
  'cancelled-run-shows-a-value-of-nobody': showing(
    CANCELLED,
    'The snapshot of a run that was cancelled shows a variable of which its log knows nothing.',
    (snapshot) => withVariable(snapshot, 'ghost', 1),
  ),
  'writes-logged-otherwise': {
    breaks: 'The log shows other values than the ones that were written, the snapshot the right ones.',
    kills: ['run.snapshot-agrees'],
    parts: () => ({
      eventOnWire: (event) =>
        event.type === 'variable.changed' && isObject(event.payload)
          ? { ...event, payload: { ...event.payload, value: 'garbled' } }
          : event,
    }),
  },
  'failure-logged-otherwise': {
    breaks: 'The log of a replay that fails at a refusal says that a node failed, its snapshot says why.',
    kills: ['run.snapshot-agrees'],
    seenIn: 'refusal.valid-to-refusal.kinds',
    parts: () => ({
      eventOnWire: (event) => {
        const text = JSON.stringify(event);
        return event.type === 'run.failed' && text.includes(REFUSED)
          ? (JSON.parse(text.replaceAll(REFUSED, 'node_failed')) as unknown)
          : event;
      },
    }),
  },
  'replayed-failure-logged-otherwise': {
    breaks: 'The log of a replay that fails ends with another error code than its snapshot shows.',
    kills: ['run.snapshot-agrees'],
    parts: knowingForks((modeOf) => () => ({
      eventOnWire: (event) =>
        event.type === 'run.failed' && modeOf(event.runId) === 'replay'
          ? { ...event, payload: { error: { code: 'other', message: 'It failed.' } } }
          : event,
    })),
  },
  'fork-snapshots-without-a-body': {
    breaks: 'The snapshot of a fork is answered with 200 and nothing.',
    kills: ['run.snapshot-agrees'],
    parts: showingForks(() => new Response('')),
  },
  'fork-snapshots-empty': {
    breaks: 'The snapshot of a fork is an empty object.',
    kills: ['schema.run-snapshot'],
    parts: showingForks(() => Response.json({})),
  },
  'end-channels-empty': showing(REPLAYS, 'The snapshot of a replay shows no channels.', (snapshot) => ({
    ...snapshot,
    channels: {},
  })),
  'end-variables-empty': showing(REPLAYS, 'The snapshot of a replay shows no variables.', (snapshot) => ({
    ...snapshot,
    variables: {},
  })),
  'end-variables-added': showing(
    REPLAYS,
    'The snapshot of a replay shows a variable that neither its log nor its source has.',
    (snapshot) => ({
      ...snapshot,
      variables: { ...(isObject(snapshot['variables']) ? snapshot['variables'] : {}), ghost: 1 },
    }),
  ),
  'end-channels-added': showing(
    REPLAYS,
    'The snapshot of a replay shows a channel that neither its log nor its source has.',
    (snapshot) => ({
      ...snapshot,
      channels: { ...(isObject(snapshot['channels']) ? snapshot['channels'] : {}), ghost: 1 },
    }),
  ),
  'end-status-stale': {
    ...showing(REPLAYS, 'The snapshot of a replay that has ended still says that it runs.', (snapshot) => ({
      ...snapshot,
      status: 'running',
    })),
    waits: true,
  },
  'snapshot-names-another-run': {
    ...showing(ANY, 'The snapshot of a run names another run.', (snapshot) => ({ ...snapshot, runId: 'run_other' })),
    kills: ['schema.run-snapshot.wire'],
  },
  'snapshot-names-another-workflow': {
    seenIn: 'run.creating',
    ...showing(
      ({ workflowId }) => workflowId === 'conformance-noop',
      'The snapshot of a run of conformance-noop names another workflow.',
      (snapshot) => ({ ...snapshot, workflowId: 'workflow_other' }),
    ),
    kills: ['schema.run-snapshot.wire'],
  },
  'fork-shows-other-variables': showing(
    FORKS,
    'The snapshot of a fork shows other values than the log gave the variables.',
    (snapshot) => values(snapshot, 'variables', (value) => ({ other: value })),
  ),
};

/** Answers to those who read the snapshot of a fork. */
function showingForks(answer: () => Response): Parts {
  return knowingForks((modeOf) => () => ({
    middleware: (next) => async (request) => {
      const [, runId = ''] = /^\/v1\/runs\/([^/:]+)$/u.exec(new URL(request.url).pathname) ?? [];
      return request.method === 'GET' && modeOf(runId) !== undefined ? answer() : next(request);
    },
  }));
}
