import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  accepted,
  requestsOf,
  namedRun,
  shownAnswer,
  whyUndecided,
  type RequestedObservation,
} from '../shared/requested.ts';
import { named } from '../shared/compare-runs.ts';
import { withoutTwin } from './without-twin.ts';
import { runOf } from '../shared/judge-run.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';

type Recordings = readonly Recorded<Observation>[];
type Requested = Recorded<RequestedObservation>;

interface KeyRow {
  readonly check: string;
  readonly twin: string;
}

/** The role of a second run, and the row of the request to fork it under a key that the first run's fork has used. */
export const OTHER_SOURCE = 'other source';
export const OTHER_RUN = 'fork of another run';

const EXPECTED = 'the run of the first answer, or 409 while that run is being made';

/** Judges duplicates that came one after the other, while the first fork ran and after it had ended. */
export function judgeDuplicates(observations: Recordings, row: KeyRow): Judgement {
  const { check } = row;
  const missing = withoutTwin(observations, row);
  if (missing !== undefined) return missing;
  const [started, duplicate, ended] = ['first', 'duplicate', 'duplicate of an ended fork'].map(
    (each) => requestsOf(observations, each)[0],
  );
  const twin = runOf(observations, row.twin);
  if (
    started === undefined ||
    duplicate === undefined ||
    ended === undefined ||
    twin === undefined ||
    twin.runId === null
  ) {
    return { check, verdict: 'inconclusive', reason: 'the duplicates were not sent', evidence: [] };
  }
  const evidence = [started.id, duplicate.id, ended.id, twin.id];
  const first = namedRun(started);
  if (!accepted(started) || first === undefined) {
    const reason = `a fork under another key got ${shownAnswer(started)}`;
    return { check, verdict: 'inconclusive', reason, evidence: [started.id] };
  }
  const failed =
    duplicateProblem(check, duplicate, first) ??
    duplicateProblem(check, ended, twin.runId) ??
    mixedUp(check, observations, twin);
  if (failed !== undefined) return failed;
  if (first === twin.runId) {
    const reason = `another key gave the same run ${first}, so nothing shows that keys are heeded`;
    return { check, verdict: 'inconclusive', reason, evidence };
  }
  const advice = [...lateConflict(ended), ...bodyAdvice(observations), ...otherRunAdvice(observations)];
  return { check, verdict: 'pass', ...(advice.length === 0 ? {} : { reason: advice.join('; ') }), evidence };
}

/** Judges duplicates that were sent together: all answers name one run. */
export function judgeAtOnce(observations: Recordings, row: KeyRow): Judgement {
  const { check } = row;
  const missing = withoutTwin(observations, row);
  if (missing !== undefined) return missing;
  const asked = requestsOf(observations, 'at once');
  const evidence = asked.map(({ id }) => id);
  const first = asked.map(namedRun).find((runId) => runId !== undefined);
  if (first === undefined) {
    return { check, verdict: 'inconclusive', reason: 'no answer named a run', evidence };
  }
  const runs = [...new Set(asked.flatMap((each) => namedRun(each) ?? []))];
  if (runs.length > 1) return secondRun({ check, runs, evidence });
  const decided = asked.filter((each) => whyUndecided(each) === undefined);
  const failed = decided.map((each) => duplicateProblem(check, each, first)).find((each) => each !== undefined);
  if (failed !== undefined) return failed;
  const reason = asked.map(whyUndecided).find((each) => each !== undefined);
  return reason === undefined
    ? { check, verdict: 'pass', evidence }
    : { check, verdict: 'inconclusive', reason, evidence };
}

function duplicateProblem(check: string, asked: Requested, runId: string): Judgement | undefined {
  const evidence = [asked.id];
  const reason = whyUndecided(asked);
  if (reason !== undefined) return { check, verdict: 'inconclusive', reason, evidence };
  const other = namedRun(asked);
  if (other !== undefined && other !== runId) return secondRun({ check, runs: [runId, other], evidence });
  if (other === runId || (asked.answer.kind === 'answer' && asked.answer.status === 409)) return undefined;
  return { check, verdict: 'fail', expected: EXPECTED, actual: `${asked.name}: ${shownAnswer(asked)}`, evidence };
}

function secondRun({
  check,
  runs,
  evidence,
}: {
  readonly check: string;
  readonly runs: readonly string[];
  readonly evidence: readonly string[];
}): Judgement {
  return {
    check,
    verdict: 'fail',
    expected: 'one run under one Idempotency-Key',
    actual: `${runs.length} runs: ${runs.join(', ')}`,
    diagnosis: wrong('second-run'),
    evidence,
  };
}

/** wire-contract, Endpoints: a key holds for one endpoint, and this one's path names the run. */
function mixedUp(check: string, observations: Recordings, twin: Recorded<RunObservation>): Judgement | undefined {
  const other = runOf(observations, OTHER_SOURCE);
  const [asked] = requestsOf(observations, OTHER_RUN);
  if (other === undefined || asked === undefined || !accepted(asked)) return undefined;
  const failure = {
    check,
    verdict: 'fail',
    expected: `a fork of ${named(other)}, or 409, under the Idempotency-Key of ${named(twin)}`,
    diagnosis: wrong('key-across-runs'),
  } as const;
  const evidence = [asked.id, other.id, twin.id];
  if (namedRun(asked) === twin.runId) {
    return { ...failure, actual: `${asked.name}: ${shownAnswer(asked)}`, evidence };
  }
  const log = logOfOther(observations);
  if (log === undefined || !log.events.some(({ data }) => member(data, 'runId') === twin.runId)) return undefined;
  const actual = `${asked.name}: the log of ${log.runId} holds events of ${named(twin)}`;
  return { ...failure, actual, evidence: [log.id, ...evidence] };
}

function logOfOther(observations: Recordings): Recorded<ReadingObservation> | undefined {
  return observations.find(
    (each): each is Recorded<ReadingObservation> =>
      each.type === 'reading' && (each as Recorded<ReadingObservation>).run === OTHER_RUN,
  );
}

function otherRunAdvice(observations: Recordings): readonly string[] {
  const [asked] = requestsOf(observations, OTHER_RUN);
  if (asked === undefined) return ['no second run was forked under the same key'];
  if (namedRun(asked) !== undefined || (asked.answer.kind === 'answer' && asked.answer.status === 409)) return [];
  return [
    `${asked.name} under the same key: ${shownAnswer(asked)}, where a fork of its own, or 409, would be expected`,
  ];
}

function lateConflict({ name, answer }: Requested): readonly string[] {
  return answer.kind === 'answer' && answer.status === 409
    ? [`${name}: 409, where the answer of the fork would be expected`]
    : [];
}

function bodyAdvice(observations: Recordings): readonly string[] {
  const [asked] = requestsOf(observations, 'other body');
  if (asked === undefined || (asked.answer.kind === 'answer' && asked.answer.status === 409)) return [];
  return [`another body under the same key: ${shownAnswer(asked)}, where 409 would be expected`];
}
