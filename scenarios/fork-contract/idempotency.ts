import { randomUUID } from 'node:crypto';
import { member } from '../../src/contract/discovery.ts';
import { fail, pass, rests, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { bounds, named } from '../shared/compare-runs.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { judgeTogether, nearTo, shownMark, wrongMark } from '../shared/duplicates.ts';
import { startPublic } from '../shared/first-run.ts';
import { runOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { readOver, type ReadingObservation } from '../shared/reading.ts';
import { replays } from '../shared/replays.ts';
import {
  accepted,
  bodyOf,
  namedRun,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  type Requested,
  type RequestedObservation,
} from '../shared/requested.ts';
import { isObserved, offersMode, replayBody, startFork, type RunObservation } from '../shared/run-observation.ts';
import { openOf } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { executedAgain, readRequestedAgain } from './executed-again.ts';
import {
  BRANCHES_AT_ONCE,
  branchWithout,
  judgeOtherBodies,
  OTHER_BODY,
  OTHER_MODE,
  OTHER_OVERLAY,
  OVERLAY_ALONE,
} from './key-of-another-body.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { readAfter, readBefore } from '../shared/past-the-end.ts';
import { judgeRepeated } from './repeated-answer.ts';

/** The role of the fork that was followed to its end under a key. */
export const CONTROL = 'replay under a key';
/** The role of a second run, and the row of the request to fork it under a key that the first run's fork has used. */
export const OTHER_SOURCE = 'other source';
export const OTHER_RUN = 'fork of another run';
/** The row of the requests that are sent together, and how the log of the run that they made is called. */
const AT_ONCE = 'at once';

/** Judges duplicates that came one after the other, while the first fork ran and after it had ended. */
export function judgeDuplicates(recorded: Recordings): Outcome {
  const control = runOf(recorded, CONTROL);
  const [started] = requestsOf(recorded, 'first');
  const [duplicate] = requestsOf(recorded, 'duplicate');
  const [ended] = requestsOf(recorded, 'duplicate of an ended fork');
  if (started === undefined || duplicate === undefined || ended === undefined || typeof control?.runId !== 'string') {
    return undecided('the duplicates were not sent', []);
  }
  const evidence = [started, duplicate, ended, control];
  const first = namedRun(started);
  if (!accepted(started) || first === undefined) {
    return undecided(`a fork under another key got ${shownAnswer(started)}`, [started]);
  }
  const left = openOf(
    [
      judgeRepeated(duplicate, { id: started.id, runId: first, body: bodyOf(started) }),
      judgeRepeated(ended, { id: control.id, runId: control.runId, body: control.answer }),
      ...mixedUp(recorded, control),
      executedAgain(recorded, CONTROL, control) ?? [],
    ].flat(),
  );
  if (left !== undefined) return left;
  if (first === control.runId) {
    return undecidedUntil(
      'make a run of its own for every other Idempotency-Key',
      `another key gave the same run ${first}, so nothing shows that keys are heeded`,
      evidence,
    );
  }
  const mark = wrongMark(started, duplicate);
  const advice = [
    ...adviceIn(recorded, ended),
    ...(mark === undefined ? [] : [`${shownMark(mark.of)}, where ${mark.expected} would be expected`]),
  ];
  return pass(evidence, advice.length === 0 ? undefined : advice.join('; '));
}

/**
 * Judges duplicates that were sent together: all answers name one run. A host that does not heed the key at all is named by the
 * row about those that came one after the other.
 */
export function judgeAtOnce(recorded: Recordings): Outcome {
  const outcome = judgeTogether(requestsOf(recorded, AT_ONCE));
  if (outcome.kind === 'fail') return rests(ONE_AFTER_THE_OTHER, outcome);
  const branches = judgeTogether(requestsOf(recorded, BRANCHES_AT_ONCE));
  if (branches.kind === 'fail') return rests(`${ONE_AFTER_THE_OTHER}.branch`, branches);
  const control = runOf(recorded, CONTROL);
  const again = control?.problem === null ? executedAgain(recorded, AT_ONCE, control) : undefined;
  return again ?? outcome;
}

const ONE_AFTER_THE_OTHER = 'fork.idempotency-key';

/**
 * wire-contract, Endpoints: a key holds for one endpoint. Whether the run in its path makes it another one is left open, so the
 * answer of the first fork is no mistake; a run of its own with the events of that one is.
 */
function mixedUp(recorded: Recordings, control: RecordedRun): readonly Outcome[] {
  const other = runOf(recorded, OTHER_SOURCE);
  const [requested] = requestsOf(recorded, OTHER_RUN);
  if (other === undefined || requested === undefined || !accepted(requested)) return [];
  const expected = `a fork of ${named(other)}, or 409, under the Idempotency-Key of ${named(control)}`;
  const diagnosis = wrong('key-across-runs');
  const evidence = [requested, other, control];
  if (namedRun(requested) === control.runId) return [];
  const log = ofType<ReadingObservation>(recorded, 'reading').find(({ run }) => run === OTHER_RUN);
  if (log === undefined || !log.events.some(({ data }) => member(data, 'runId') === control.runId)) return [];
  const actual = `${requested.name}: the log of ${log.runId} holds events of ${named(control)}`;
  return [fail({ expected, actual, diagnosis }, [log, ...evidence])];
}

/** What the documents leave open and callers would not expect. */
function adviceIn(recorded: Recordings, ended: Requested): readonly string[] {
  const [otherBody] = requestsOf(recorded, OTHER_BODY);
  const [otherRun] = requestsOf(recorded, OTHER_RUN);
  const control = runOf(recorded, CONTROL);
  const advice = [];
  if (statusOf(ended) === 409) advice.push(`${ended.name}: 409, where the answer of the fork would be expected`);
  if (otherBody !== undefined && statusOf(otherBody) !== 409) {
    advice.push(`another body under the same key: ${shownAnswer(otherBody)}, where 409 would be expected`);
  }
  if (otherRun === undefined) advice.push('no second run was forked under the same key');
  else if (namedRun(otherRun) === undefined && statusOf(otherRun) !== 409) {
    const got = `${otherRun.name} under the same key: ${shownAnswer(otherRun)}`;
    advice.push(`${got}, where a fork of its own, or 409, would be expected`);
  } else if (accepted(otherRun) && namedRun(otherRun) === control?.runId) {
    const got = `${otherRun.name} under the same key: the stored answer of the ${CONTROL}, ${namedRun(otherRun) ?? ''}`;
    advice.push(`${got}, where a fork of its own, or 409, would be expected`);
  }
  return advice;
}

const TOGETHER = 8;
const BRANCHES_TOGETHER = 3;
const BODY = { mode: 'replay' } as const;

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const [source, other] = await Promise.all([startPublic(probe, 'source'), startPublic(probe, OTHER_SOURCE)]);
  if (!isObserved(source)) return [source];
  const before = await readBefore(probe, source);
  const [key, keyAtOnce] = [randomUUID(), randomUUID()];
  const send: Send = (row, under, body) => sendUnder(probe, source.runId, { row, key: under, body });
  const atOnce = Promise.all(Array.from({ length: TOGETHER }, () => send(AT_ONCE, keyAtOnce, BODY)));
  const first = await startFork(probe, source, BODY, { role: CONTROL, headers: { 'idempotency-key': key } });
  const body = replayBody(first);
  const ended = await send('duplicate of an ended fork', key, body);
  const near = await send('almost the same key', nearTo(key), body);
  const twice = await sendTwice(send, { ...BODY, fromSeq: bounds(source).middle }, body);
  // The first number may be what a body without one says.
  const otherBody = await send(OTHER_BODY, key, { ...BODY, fromSeq: bounds(source).last });
  const isBranching = offersMode(probe.discovery, 'branch');
  const otherMode = isBranching ? [await send(OTHER_MODE, key, branchFromEnd(source))] : [];
  const elsewhere = await forkOther(probe, other, key);
  const together = await atOnce;
  // Of the other run: what replays do to their source is judged of the first one.
  const branchesTogether = isBranching && isObserved(other) ? await branchTogether(probe, other) : [];
  const requested = [ended, near, ...twice, otherBody, ...otherMode, ...elsewhere, ...together, ...branchesTogether];
  const made = together.map(namedRun).find((runId) => runId !== undefined);
  const read = [
    ...(isObserved(first) ? await readRequestedAgain(probe, CONTROL, first.runId) : []),
    ...(await readRequestedAgain(probe, AT_ONCE, made)),
  ];
  return [source, other, ...before, first, ...requested, ...read, ...(await readAfter(probe, source))];
}

type Send = (row: string, key: string, body: object) => Promise<RequestedObservation>;

/** A fork from a later event, twice under another key; one like that which worked where the host makes none from there. */
async function sendTwice(send: Send, later: object, worked: object): Promise<readonly RequestedObservation[]> {
  const [key, otherKey] = [randomUUID(), randomUUID()];
  const first = await send('first', key, later);
  return accepted(first)
    ? [first, await send('duplicate', key, later)]
    : [await send('first', otherKey, worked), await send('duplicate', otherKey, worked)];
}

function sendUnder(
  probe: Probe,
  runId: string,
  { row, key, body }: { readonly row: string; readonly key: string; readonly body: object },
): Promise<RequestedObservation> {
  const headers = { 'idempotency-key': key };
  return sendRequest(probe.host, forkPath(runId), { row, name: row, body: JSON.stringify(body), headers });
}

function branchFromEnd(source: RunObservation): object {
  return { mode: 'branch', fromSeq: bounds(source).last };
}

/** Branches of a run under one key, requested at once, and then one with an overlay: where that is one of them, under another key, too. */
async function branchTogether(
  probe: Probe,
  source: RunObservation & { readonly runId: string },
): Promise<readonly RequestedObservation[]> {
  const request = { row: BRANCHES_AT_ONCE, key: randomUUID(), body: branchFromEnd(source) };
  const together = await Promise.all(
    Array.from({ length: BRANCHES_TOGETHER }, () => sendUnder(probe, source.runId, request)),
  );
  const body = { ...request.body, runOptionsOverlay: { tags: ['other'] } };
  const overlaid = await sendUnder(probe, source.runId, { ...request, row: OTHER_OVERLAY, body });
  if (branchWithout(together, overlaid) === undefined) return [...together, overlaid];
  const alone = await sendUnder(probe, source.runId, { row: OVERLAY_ALONE, key: randomUUID(), body });
  return [...together, overlaid, alone];
}

/** The endpoint's path names the run, so a key that was used for one run's fork is a new one for another's. */
async function forkOther(probe: Probe, other: RunObservation, key: string): Promise<readonly Observation[]> {
  if (!isObserved(other)) return [];
  const requested = await sendUnder(probe, other.runId, { row: OTHER_RUN, key, body: BODY });
  const made = namedRun(requested);
  if (made === undefined) return [requested];
  const log = await readOver(probe, ['json', 'poll', 'sse'], { run: OTHER_RUN, runId: made, how: 'start' });
  return log === undefined ? [requested] : [requested, log];
}

/** replay.md, Endpoint; wire-contract, Endpoints: Layer-1 idempotency. */
export const idempotency = defineScenario({
  id: 'fork.idempotency',
  suite: 'fork-contract',
  title: 'Requests under one Idempotency-Key make one run',
  needs: [replays],
  drive,
  see: (recorded) => leftWithoutControl(recorded, CONTROL) ?? recorded,
  checks: [
    {
      id: ONE_AFTER_THE_OTHER,
      title:
        'A fork that is requested twice under one Idempotency-Key, one after the other, is one run, and the same fork',
      judge: judgeDuplicates,
    },
    {
      id: 'fork.idempotency-key.at-once',
      title: 'A fork that is requested at once again and again under one Idempotency-Key is one run',
      judge: judgeAtOnce,
    },
    {
      id: 'fork.idempotency-key.other-body',
      title: 'A fork is not the answer to another body under its Idempotency-Key',
      judge: (recorded) => judgeOtherBodies(recorded, runOf(recorded, CONTROL)),
    },
    {
      id: 'fork.source-untouched.duplicates',
      title: 'Forks that are requested twice leave the log and the snapshot of their source as they were',
      judge: judgeUntouched,
    },
  ],
});
