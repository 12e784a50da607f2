import { randomUUID } from 'node:crypto';
import { fail, isOutcome, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { forkPath, RUNS_PATH } from '../../src/protocol/paths.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { judgeDuplicate, judgeTogether, nearTo, shownMark, wrongMark } from '../shared/duplicates.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  accepted,
  namedRun,
  type Requested,
  type RequestedObservation,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { offersMode } from '../shared/run-observation.ts';
import { openOf } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { type CreatedRun, causeOfRefusal } from './created-run.ts';

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
  // Sent again, a first request is a duplicate: the scenario alone shows it.
  const steps = of === first ? [] : [first.id, of.id];
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

/** Requests under one key that are sent together. */
const AT_ONCE = 10;

/** Runs under one Idempotency-Key, one after the other and together. The other body is the one that the control was made with. */
export async function driveKeys(
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
