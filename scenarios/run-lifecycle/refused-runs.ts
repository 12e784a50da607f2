import { randomUUID } from 'node:crypto';
import { fail, isOutcome, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import { readConnection } from '../../src/host/log/connection.ts';
import { isTerminal } from '../../src/host/log/shown.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsPath, pollPath, RUNS_PATH, workflowPath } from '../../src/protocol/paths.ts';
import { isClientError, isMalformed, isSuccess } from '../../src/protocol/status.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { ENVELOPE_TEXT, envelopeProblem, stumblesOverBody } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  type Requested,
  requestedBy,
  type RequestedObservation,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { EXCLUSIVE, UNKNOWN, UNKNOWN_MODE } from './observation.ts';
import { AS_JSON, type CreatedRun, readingsOf } from './created-run.ts';

/**
 * Judges requests that make no run and readings of a run that there is not, on a host that made one: each is refused, in the
 * envelope. A reading that the host does not offer for a run that there is shows nothing.
 */
export function judgeRefused(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const known = ['known-run', 'known-workflow'].flatMap((row) => requestsOf(recorded, row)).filter(accepted);
  const read = [...requestsOf(recorded, 'unknown-run'), ...requestsOf(recorded, 'unknown-workflow')].filter(
    ({ name }) => known.some((each) => each.name === name),
  );
  // A mode that there is not may be ignored; a host that refuses it does that in the envelope.
  const modes = requestsOf(recorded, UNKNOWN_MODE).filter((each) => isMalformed(statusOf(each)));
  const refused = [...requestsOf(recorded, 'no-run'), ...read, ...modes];
  const decided = refused.filter((each) => whyUndecided(each) === undefined);
  const faulty = decided.filter((each) => !isClientError(statusOf(each)));
  const unread = faulty.find(isUnread);
  const other = faulty.find((each) => !isUnread(each));
  if (other !== undefined) return answeredWrongly(other);
  const bare = decided.filter((each) => isClientError(statusOf(each)) && envelopeProblem(each) !== undefined);
  const [first] = bare;
  if (first !== undefined) {
    const actual = `${first.name}: ${statusOf(first)}, ${envelopeProblem(first) ?? ''}`;
    return fail(
      { diagnosis: sharedCause('not-in-envelope'), expected: ENVELOPE_TEXT, actual, restsOn: FOUNDATIONS.envelopes },
      bare,
    );
  }
  if (unread !== undefined) return answeredWrongly(unread, FOUNDATIONS.bodies);
  const otherwise = decided.find((each) => read.includes(each) && !saysNone(statusOf(each)));
  if (otherwise !== undefined) return answeredWrongly(otherwise);
  const why = refused.map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, refused);
  return refused.length === 0 ? undecided('nothing was requested', [runs.run]) : pass([...refused, ...known]);
}

/** wire-contract, Endpoints: 404; what is no id of the host may be malformed. */
function saysNone(status: number): boolean {
  return status === 404 || isMalformed(status);
}

/** Whether the host stumbled over the body of a request for a run, which it could not read. */
function isUnread(requested: Requested): boolean {
  return requested.row === 'no-run' && stumblesOverBody(requested.request, statusOf(requested));
}

/** The rows of readings of what there is not, in words. */
const OF_NONE: Readonly<Record<string, string>> = {
  'unknown-run': ' of a run that there is not',
  'unknown-workflow': ' of a workflow that there is not',
};

function answeredWrongly(faulty: Requested, restsOn?: string): Outcome {
  const of = OF_NONE[faulty.row];
  const isRefused = isClientError(statusOf(faulty));
  const diagnosis = sharedCause(accepted(faulty) ? 'carried-out' : isRefused ? 'other-refusal' : 'server-error');
  const expected = `${of === undefined ? 'a 4xx' : '404'} for ${faulty.name}${of ?? ''}`;
  return fail({ expected, actual: shownAnswer(faulty), diagnosis, restsOn }, [faulty]);
}

/** Requests for no run that there is, beside the same readings of one that there is. */
export function driveRefused(
  probe: Probe,
  { runId }: CreatedRun,
  workflowId: string,
): Promise<readonly RequestedObservation[]> {
  const unknown = unknownLike(runId, 2);
  const create = (name: string, body: string): Promise<RequestedObservation> =>
    sendRequest(probe.host, RUNS_PATH, { row: 'no-run', name, body });
  const read = (row: string, id: string): readonly Promise<RequestedObservation>[] =>
    Object.entries(readingsOf(id)).map(([name, path]) =>
      sendRequest(probe.host, path, { row, name, method: 'GET', headers: AS_JSON }),
    );
  const define = (row: string, id: string): Promise<RequestedObservation> =>
    sendRequest(probe.host, workflowPath(id), { row, name: 'the definition', method: 'GET', headers: AS_JSON });
  const cursor = { row: 'unknown-run', name: 'the poll', method: 'GET', headers: AS_JSON } as const;
  return Promise.all([
    create('a run of no workflow', '{}'),
    create('a run whose request is no JSON', '{"workflowId":'),
    create('a run of an unknown workflow', JSON.stringify({ workflowId: `conformance-unknown-${randomUUID()}` })),
    ...read('unknown-run', unknown),
    ...read('known-run', runId),
    sendRequest(probe.host, `${pollPath(unknown)}?lastSequence=1`, cursor),
    beginStream(probe, 'unknown-run', unknown),
    beginStream(probe, 'known-run', runId),
    define('unknown-workflow', `conformance-unknown-${randomUUID()}`),
    define('known-workflow', workflowId),
    ...[UNKNOWN, EXCLUSIVE].map((mode) => readInMode(probe, runId, mode)),
  ]);
}

/** How a stream is answered: one that is there is left at once. */
async function beginStream({ host }: Probe, row: string, runId: string): Promise<RequestedObservation> {
  const path = eventsPath(runId);
  const exchange = await host.stream(
    { method: 'GET', path, headers: { accept: 'text/event-stream' } },
    { head: (status) => (isSuccess(status) ? 'stop' : 'read'), text: () => 'more' },
  );
  return requestedBy(exchange, { row, name: 'the stream', sent: `GET ${path}`, request: '' });
}

/** A log in a mode that there is not, as a stream: what a host answers that ignores the mode ends with the run. */
async function readInMode({ host }: Probe, runId: string, mode: string): Promise<RequestedObservation> {
  const path = `${eventsPath(runId)}?streamMode=${mode}`;
  const { exchange } = await readConnection(host, path, {
    take: (message) => (isTerminal(message) ? 'done' : 'more'),
  });
  return requestedBy(exchange, {
    row: UNKNOWN_MODE,
    name: `the log in the mode ${mode}`,
    sent: `GET ${path}`,
    request: '',
  });
}
