import { randomUUID } from 'node:crypto';
import { readPart } from '../../src/contract/discovery.ts';
import { feedback } from '../../src/contract/gates.ts';
import {
  fail,
  isOutcome,
  notApplicable,
  type Outcome,
  pass,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import {
  annotationsPath,
  cancelPath,
  debugPath,
  diffPath,
  eventsPath,
  interruptPath,
  RUNS_PATH,
} from '../../src/protocol/paths.ts';
import { isClientError, isNoRoute, isServerError } from '../../src/protocol/status.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { startAsking } from '../shared/answering.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  namedRun,
  type Requested,
  requestedBy,
  type RequestedObservation,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { isObserved } from '../shared/run-observation.ts';
import { isAsking } from '../shared/open-question.ts';
import { annotationBodies } from '../shared/seams.ts';
import { wrong } from './diagnoses.ts';
import { ANSWER_ROW } from './given-answer.ts';
import { NOTE_ROW } from './sent.ts';
import { CANCEL } from './waiting.ts';
import { AS_JSON, type CreatedRun, causeOfRefusal, readingsOf } from './created-run.ts';

/** The acts upon runs that are tried without a credential. */
const [NOTE, CANCELLATION, ANSWER] = ['an annotation', 'a cancellation', 'an answer'];
const LOGS: readonly string[] = ['the log', 'the poll'];

/** The readings that are requested without a credential, too. */
const READINGS: readonly string[] = ['the snapshot', ...LOGS];

/** Judges what worked under the credential and is requested without it. */
export function judgeWithoutCredential(
  recorded: Recordings,
  { everything }: Pick<Judging, 'everything'> = { everything: [] },
): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const read = requestsOf(recorded, 'known-run').filter(accepted);
  const wasRead = ({ name }: Requested): boolean => read.some((each) => each.name === name);
  const madeUp = requestsOf(recorded, MADE_UP_CREDENTIAL).filter(wasRead);
  const acts = requestsOf(recorded, ACT_OF_NOBODY).filter((each) => !isNoRoute(statusOf(each)));
  const stumbled = acts.filter((each) => isServerError(statusOf(each)) && !isTaken(each, [...recorded, ...everything]));
  // Nobody knows whether a host has these readings at all.
  const others = requestsOf(recorded, READING_OF_NOBODY).filter(
    (each) => accepted(each) || isClientError(statusOf(each)),
  );
  const requests = [
    ...requestsOf(recorded, 'no-credential').filter((each) => !READINGS.includes(each.name) || wasRead(each)),
    ...madeUp,
    ...acts,
    ...others,
  ];
  if (requests.length === 0) return notApplicable('no credential was given for this host', [runs.run]);
  const open = requests.find(
    (each) => whyUndecided(each) === undefined && !isRefused(each) && !stumbled.includes(each),
  );
  if (open !== undefined) return refusedOtherwise(open);
  const made = requestsOf(recorded, LIMITED).find((each) => accepted(each) && namedRun(each) !== undefined);
  if (made !== undefined) return madeWithoutScope(made);
  const why = requests.map(whyUndecided).find((each) => each !== undefined);
  const [first] = stumbled;
  if (why === undefined && first !== undefined) return leftStumbling(first);
  return why === undefined ? pass([...requests, runs.run]) : undecided(why, requests);
}

/** The rows in which scenarios send under the credential what is sent without it, by its name here. */
const UNDER_CREDENTIAL: Readonly<Record<string, string>> = {
  [NOTE]: NOTE_ROW,
  [CANCELLATION]: CANCEL,
  [ANSWER]: ANSWER_ROW,
};

/** Whether an act is taken under the credential in any scenario: what fails over it for everybody says nothing of credentials. */
function isTaken({ name }: Requested, seen: Recordings): boolean {
  return requestsOf(seen, UNDER_CREDENTIAL[name] ?? '').some(accepted);
}

function leftStumbling(act: Requested): Outcome {
  const todo = `take ${act.name} under the credential, so that it is seen how one without it is refused`;
  return undecidedUntil(todo, `${act.name} without a credential: ${shownAnswer(act)}`, [act]);
}

/**
 * A log may be refused as one that there is not for nobody; runs and snapshots are refused with 401. How a credential that nobody has
 * is refused, and an act of nobody upon a run, no document says.
 */
function isRefused(requested: Requested): boolean {
  const status = statusOf(requested);
  const isFree = requested.row !== 'no-credential' || LOGS.includes(requested.name);
  return isFree ? isClientError(status) : status === 401;
}

/** The rows of readings under a credential that nobody has, and of acts upon runs without any; not in old evidence. */
export const [MADE_UP_CREDENTIAL, ACT_OF_NOBODY] = ['made-up-credential', 'act-of-nobody'] as const;

/** The rows of the other readings without any credential, and of a run under one that may not create; not in old evidence. */
export const [READING_OF_NOBODY, LIMITED] = ['reading-of-nobody', 'no-scope'] as const;

/** POST /v1/runs takes the scope runs:create (wire-contract, Endpoints). */
function madeWithoutScope(made: Requested): Outcome {
  const expected = '403: making a run takes runs:create';
  const actual = `${made.name}: ${shownAnswer(made)}`;
  const diagnosis = sharedCause('carried-out');
  return fail({ expected, actual, diagnosis, restsOn: 'fork.requires-credentials.scope' }, [made]);
}

function refusedOtherwise(open: Requested): Outcome {
  const diagnosis = accepted(open) ? wrong('open-to-nobody') : causeOfRefusal(open);
  const actual = shownAnswer(open);
  const how = open.row === MADE_UP_CREDENTIAL ? 'under a credential that nobody has' : 'without a credential';
  const expected = `${open.row === 'no-credential' ? '401' : '401, or another 4xx,'} for ${open.name} ${how}`;
  return fail({ expected, actual, diagnosis, restsOn: 'fork.requires-credentials' }, [open]);
}

/** What worked under the credential, without it. */
export function driveWithoutCredential(
  probe: Probe,
  { runId }: CreatedRun,
  body: string,
): Promise<readonly RequestedObservation[]> {
  const row = 'no-credential';
  return Promise.all([
    sendRequest(probe.host, RUNS_PATH, { row, name: 'a run', body, anonymous: true }),
    ...Object.entries(readingsOf(runId)).flatMap(([name, path]) => [
      sendRequest(probe.host, path, { row, name, method: 'GET', headers: AS_JSON, anonymous: true }),
      sendRequest(probe.host, path, {
        row: MADE_UP_CREDENTIAL,
        name,
        method: 'GET',
        headers: { ...AS_JSON, authorization: `Bearer ${randomUUID()}` },
        anonymous: true,
      }),
    ]),
  ]);
}

/** A run under a credential that may read and not create, where one was given. */
export async function createWithoutScope({ limited }: Probe, body: string): Promise<readonly RequestedObservation[]> {
  const name = 'a run under a credential that may not create';
  return limited === undefined ? [] : [await sendRequest(limited, RUNS_PATH, { row: LIMITED, name, body })];
}

/** Streams of a log without a credential, as browsers ask for them, and what else there is to read of a run. */
export function readAsNobody(probe: Probe, { runId }: CreatedRun): Promise<readonly RequestedObservation[]> {
  const row = READING_OF_NOBODY;
  const stream = async (name: string, path: string): Promise<RequestedObservation> => {
    const headers = { accept: 'text/event-stream' };
    const sent = { method: 'GET', path, headers, anonymous: true } as const;
    const exchange = await probe.host.stream(sent, { head: () => 'stop', text: () => 'done' });
    return requestedBy(exchange, { row, name, sent: `GET ${path}`, request: '' });
  };
  const read = (name: string, path: string): Promise<RequestedObservation> =>
    sendRequest(probe.host, path, { row, name, method: 'GET', headers: AS_JSON, anonymous: true });
  const isAnnotated = feedback({ feedback: readPart(probe.discovery, 'feedback') }).open;
  return Promise.all([
    stream('the event stream', eventsPath(runId)),
    stream('the debug stream', debugPath(runId)),
    read('a comparison', diffPath(runId, runId)),
    ...(isAnnotated ? [read('the annotations', annotationsPath(runId))] : []),
  ]);
}

/** Acts upon runs without a credential: upon one that waits, which is cancelled at last, and notes about the one that is over. */
export async function actAsNobody(probe: Probe, { runId }: CreatedRun): Promise<readonly RequestedObservation[]> {
  const act = (name: string, path: string, body: object): Promise<RequestedObservation> =>
    sendRequest(probe.host, path, { row: ACT_OF_NOBODY, name, body: JSON.stringify(body), anonymous: true });
  const [note] = feedback({ feedback: readPart(probe.discovery, 'feedback') }).open
    ? annotationBodies(randomUUID())
    : [];
  const notes = note === undefined ? [] : [await act(NOTE, annotationsPath(runId), note)];
  const { run, candidate } = await startAsking(probe, 'run that waits');
  if (!isObserved(run) || !eventsOf(run).some(isAsking)) return notes;
  const acts = [
    await act(CANCELLATION, cancelPath(run.runId), {}),
    await act(ANSWER, interruptPath(run.runId, candidate.nodeId), { resumeValue: candidate.goesOn }),
  ];
  const about = { row: CANCEL, name: 'the cancellation of a run that nobody could cancel', body: '{}' } as const;
  return [...notes, ...acts, await sendRequest(probe.host, cancelPath(run.runId), about)];
}
