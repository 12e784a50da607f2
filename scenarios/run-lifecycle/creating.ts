import { randomUUID } from 'node:crypto';
import { readPart } from '../../src/contract/discovery.ts';
import { feedback } from '../../src/contract/gates.ts';
import {
  fail,
  isOutcome,
  notApplicable,
  type Outcome,
  pass,
  rests,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { readConnection } from '../../src/host/log/connection.ts';
import { isTerminal } from '../../src/host/log/shown.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import {
  annotationsPath,
  cancelPath,
  debugPath,
  diffPath,
  eventsPath,
  forkPath,
  interruptPath,
  pollPath,
  runPath,
  RUNS_PATH,
  workflowPath,
} from '../../src/protocol/paths.ts';
import { isClientError, isMalformed, isNoRoute, isServerError, isSuccess } from '../../src/protocol/status.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import { startAsking } from '../shared/answering.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { judgeDuplicate, judgeTogether, nearTo, shownMark, wrongMark } from '../shared/duplicates.ts';
import { ENVELOPE_TEXT, envelopeProblem, stumblesOverBody } from '../shared/envelope.ts';
import { startFirst } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
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
import { isObserved, offersMode, type RunObservation } from '../shared/run-observation.ts';
import { isAsking } from '../shared/open-question.ts';
import { annotationBodies } from '../shared/seams.ts';
import { openOf } from '../shared/settle.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { wrong } from './diagnoses.ts';
import { ANSWER_ROW } from './given-answer.ts';
import { EXCLUSIVE, UNKNOWN, UNKNOWN_MODE } from './observation.ts';
import { NOTE_ROW } from './sent.ts';
import { CANCEL } from './waiting.ts';

const ONE_AFTER_THE_OTHER = 'run.create-idempotency';
/** The row of the same request under the same key by another tenant; not sent without a second credential, and not in old evidence. */
export const OTHER_TENANT = "run under another tenant's key";

/** The row of a fork under the key that a run was made under; not sent where no replay is offered, and not in old evidence. */
export const FORK_UNDER_KEY = "fork under a run's key";
/** The row of the same fork under a key of its own, between two of the others; sent where the first of them is refused with 409, and not in old evidence. */
export const FORK_UNDER_OWN_KEY = 'fork under a key of its own';

/** Judges a duplicate that came after its first request, and another body under the same key (wire-contract, Endpoints). */
export function judgeKeys(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const [first] = requestsOf(recorded, 'first');
  const [duplicate] = requestsOf(recorded, 'duplicate');
  const [other] = requestsOf(recorded, 'other body');
  if (first === undefined || duplicate === undefined || other === undefined) {
    return undecided('the duplicates were not sent', [runs.run]);
  }
  const made = namedRun(first);
  if (!accepted(first) || made === undefined) {
    return undecided(`a run with tags, under an Idempotency-Key, got ${shownAnswer(first)}`, [first]);
  }
  const foreign = requestsOf(recorded, OTHER_TENANT);
  const forked = requestsOf(recorded, FORK_UNDER_KEY);
  const left = openOf([
    judgeDuplicate(duplicate, made),
    judgeOtherBody(other, first),
    ...foreign.flatMap((each) => handedOut(each, first)),
    ...forked.flatMap((each) => takenForIts(each, first)),
    ...heldForIts(forked, requestsOf(recorded, FORK_UNDER_OWN_KEY), first),
  ]);
  if (left !== undefined) return left;
  const evidence = [first, duplicate, other, ...foreign, ...forked, runs.run];
  if (made === runs.run.runId) {
    return undecided(
      `a request without a key gave the same run ${made}, so nothing shows that keys are heeded`,
      evidence,
    );
  }
  const isConflict = forked.some((each) => statusOf(each) === CONFLICT);
  const note = 'a fork under the key of a run is refused with 409: a key is one for all endpoints';
  return judgeMarks(first, duplicate) ?? pass(evidence, isConflict ? note : undefined);
}

/** A client that does not know whether its first request came through learns it from the mark. */
function judgeMarks(first: Requested, duplicate: Requested): Outcome | undefined {
  const fault = wrongMark(first, duplicate);
  if (fault === undefined) return undefined;
  const { of, expected } = fault;
  const steps = [...new Set([first.id, of.id])];
  return fail({ expected, actual: shownMark(of), diagnosis: wrong('stored-answer-mark'), steps }, [of, first]);
}

function judgeOtherBody(other: Requested, first: Requested): Outcome {
  const why = whyUndecided(other);
  if (why !== undefined) return undecided(why, [other]);
  if (statusOf(other) === 409) return pass([other]);
  const expected = '409 for another body under the Idempotency-Key of a run that was made';
  const diagnosis = accepted(other) ? sharedCause('carried-out') : causeOfRefusal(other);
  const steps = [first.id, other.id];
  return fail({ expected, actual: `${other.name}: ${shownAnswer(other)}`, diagnosis, steps }, [first, other]);
}

/** A key is one of its tenant (wire-contract, Endpoints): another one is answered with a run of its own, if with any. */
function handedOut(foreign: Requested, first: Requested): readonly Outcome[] {
  if (namedRun(foreign) === undefined || namedRun(foreign) !== namedRun(first)) return [];
  const expected = `another run than ${String(namedRun(first))}, which another tenant made under the same Idempotency-Key`;
  const diagnosis = sharedCause('tenants-mixed');
  const restsOn = 'fork.invisible-run';
  return [
    fail({ expected, actual: shownAnswer(foreign), diagnosis, steps: [first.id, foreign.id], restsOn }, [
      foreign,
      first,
    ]),
  ];
}

const CONFLICT = 409;

/** A key is one of its endpoint (wire-contract, Endpoints): the stored run is no answer to a fork. */
function takenForIts(forked: Requested, first: Requested): readonly Outcome[] {
  if (!accepted(forked) || namedRun(forked) === undefined || namedRun(forked) !== namedRun(first)) return [];
  const expected = `a fork, and not ${String(namedRun(first))}, which POST /v1/runs made under the same Idempotency-Key`;
  const steps = [first.id, forked.id];
  return [
    fail(
      { diagnosis: wrong('key-across-endpoints'), expected, actual: `${forked.name}: ${shownAnswer(forked)}`, steps },
      [forked, first],
    ),
  ];
}

/** The same of a fork that is refused, each time, for a key that POST /v1/runs alone was asked under: any other key does. */
function heldForIts(forked: readonly Requested[], own: readonly Requested[], first: Requested): readonly Outcome[] {
  const [refused, again] = forked;
  const isHeld = again !== undefined && forked.every((each) => statusOf(each) === CONFLICT);
  if (refused === undefined || !isHeld || !own.some(accepted)) return [];
  const expected = `a fork under the Idempotency-Key of a run: a key is one of its endpoint, and ${FORK_UNDER_OWN_KEY} is made`;
  const steps = [first.id, refused.id];
  const mistake = { expected, actual: `${refused.name}: ${CONFLICT}`, steps, diagnosis: wrong('key-across-endpoints') };
  return [fail(mistake, [...forked, ...own, first])];
}

/** Judges duplicates that came together; a host that heeds no key is named by the row about those one after the other. */
export function judgeAtOnce(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const outcome = judgeTogether(requestsOf(recorded, 'at once'));
  if (outcome.kind === 'fail') return rests(ONE_AFTER_THE_OTHER, outcome);
  const made = requestsOf(recorded, 'at once').some((each) => namedRun(each) === runs.run.runId);
  return made && outcome.kind === 'pass'
    ? undecided(`a request without a key gave the same run ${String(runs.run.runId)}`, [runs.run])
    : outcome;
}

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
  const why = refused.map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, refused);
  return refused.length === 0 ? undecided('nothing was requested', [runs.run]) : pass([...refused, ...known]);
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
  const of = OF_NONE[faulty.row] ?? '';
  const diagnosis = sharedCause(accepted(faulty) ? 'carried-out' : 'server-error');
  return fail({ expected: `a 4xx for ${faulty.name}${of}`, actual: shownAnswer(faulty), diagnosis, restsOn }, [faulty]);
}

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

function causeOfRefusal(requested: Requested): Diagnosis {
  return sharedCause(isServerError(statusOf(requested)) ? 'server-error' : 'other-refusal');
}

function refusedOtherwise(open: Requested): Outcome {
  const diagnosis = accepted(open) ? wrong('open-to-nobody') : causeOfRefusal(open);
  const actual = shownAnswer(open);
  const how = open.row === MADE_UP_CREDENTIAL ? 'under a credential that nobody has' : 'without a credential';
  const expected = `${open.row === 'no-credential' ? '401' : '401, or another 4xx,'} for ${open.name} ${how}`;
  return fail({ expected, actual, diagnosis, restsOn: 'fork.requires-credentials' }, [open]);
}

/** The shortest public workflow first: many runs of it are made. */
const SHORTEST = ['conformance-noop', 'conformance-multi-node'] as const;
/** Requests under one key that are sent together. */
const AT_ONCE = 10;

/** A run that was seen to its end. */
type CreatedRun = RunObservation & { readonly runId: string };

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { workflowId, inputs, run } = await startFirst(probe, SHORTEST, 'run');
  if (!isObserved(run)) return [run];
  const body = JSON.stringify({ workflowId, inputs });
  const requested = await Promise.all([
    driveKeys(probe, { workflowId, inputs }, run),
    driveRefused(probe, run, workflowId),
    probe.hasCredential === true ? driveWithoutCredential(probe, run, body) : [],
    probe.hasCredential === true ? actAsNobody(probe, run) : [],
    probe.hasCredential === true ? readAsNobody(probe, run) : [],
    createWithoutScope(probe, body),
  ]);
  return [run, ...requested.flat()];
}

/** Runs under one Idempotency-Key, one after the other and together. The other body is the one that the control was made with. */
async function driveKeys(
  probe: Probe,
  request: RunRequest,
  { runId }: CreatedRun,
): Promise<readonly RequestedObservation[]> {
  const control = JSON.stringify(request);
  const [key, keyAtOnce] = [randomUUID(), randomUUID()];
  const keyed = JSON.stringify({ ...request, tags: ['conformance:under-a-key'] });
  const send = (row: string, under: string, body: string, host = probe.host): Promise<RequestedObservation> =>
    sendRequest(host, RUNS_PATH, { row, name: row, body, headers: { 'idempotency-key': under } });
  const first = await send('first', key, keyed);
  const duplicate = await send('duplicate', key, keyed);
  const { otherTenant } = probe;
  const foreign = otherTenant === undefined ? [] : [await send(OTHER_TENANT, key, keyed, otherTenant)];
  const forked = offersMode(probe.discovery, 'replay') ? await forkUnder(probe, runId, key) : [];
  const near = await send('almost the same key', nearTo(key), keyed);
  const other = await send('other body', key, control);
  const together = await Promise.all(Array.from({ length: AT_ONCE }, () => send('at once', keyAtOnce, control)));
  return [first, duplicate, ...foreign, ...forked, near, other, ...together];
}

async function forkUnder({ host }: Probe, runId: string, key: string): Promise<readonly RequestedObservation[]> {
  const send = (row: string, under: string): Promise<RequestedObservation> => {
    const about = { row, name: row, body: JSON.stringify({ mode: 'replay' }) };
    return sendRequest(host, forkPath(runId), { ...about, headers: { 'idempotency-key': under } });
  };
  const first = await send(FORK_UNDER_KEY, key);
  if (statusOf(first) !== CONFLICT) return [first];
  return [first, await send(FORK_UNDER_OWN_KEY, randomUUID()), await send(FORK_UNDER_KEY, key)];
}

const AS_JSON = { accept: 'application/json' } as const;

/** The readings of a run that are whole at once, by name. */
function readingsOf(runId: string): Readonly<Record<string, string>> {
  return { 'the snapshot': runPath(runId), 'the log': eventsPath(runId), 'the poll': pollPath(runId) };
}

/** Requests for no run that there is, beside the same readings of one that there is. */
function driveRefused(
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

/** What worked under the credential, without it. */
function driveWithoutCredential(
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
async function createWithoutScope({ limited }: Probe, body: string): Promise<readonly RequestedObservation[]> {
  const name = 'a run under a credential that may not create';
  return limited === undefined ? [] : [await sendRequest(limited, RUNS_PATH, { row: LIMITED, name, body })];
}

/** Streams of a log without a credential, as browsers ask for them, and what else there is to read of a run. */
function readAsNobody(probe: Probe, { runId }: CreatedRun): Promise<readonly RequestedObservation[]> {
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
async function actAsNobody(probe: Probe, { runId }: CreatedRun): Promise<readonly RequestedObservation[]> {
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

/** wire-contract, Endpoints: what POST /v1/runs and the readings of a run answer besides what was asked for. */
export const creating = defineScenario({
  id: 'run.creating',
  suite: 'run-lifecycle',
  title: 'Runs are made once under one key, and what makes or reads none is refused in the envelope',
  drive,
  checks: [
    {
      id: 'run.create-idempotency',
      title:
        'A run that is requested twice under one Idempotency-Key is one run, its second answer is marked as stored, and another body is refused with 409',
      judge: judgeKeys,
    },
    {
      id: 'run.create-idempotency.at-once',
      title: 'A run that is requested ten times at once under one Idempotency-Key is one run',
      judge: judgeAtOnce,
    },
    {
      id: 'run.error-envelope',
      title: 'What makes no run, and readings of none, are refused with a 4xx in the envelope',
      judge: judgeRefused,
    },
    {
      id: 'run.error-envelope.no-credential',
      title:
        'Without a credential, creating and reading a run is refused with 401, and creating one without the scope is refused',
      judge: judgeWithoutCredential,
    },
  ],
});
