import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { isBusy } from './run-status.ts';
import { isWaiting, statusOf } from './settled-run.ts';
import { type ConfirmationObservation, confirmed } from './verification-drive.ts';
import {
  type Facts,
  factsOf,
  type FailingReplay,
  hasEnded,
  injectedPlaces,
  NOT_VERIFIED,
  type SeenVerification,
  shownPlaces,
  twinProblem,
  unasked,
  unseenReplays,
} from './verification-facts.ts';

const PARKED = 'once.verification-human';
const RESUMED = 'once.verification-human.resume';

const INJECTED = {
  code: 'injected-without-confirmation',
  message: 'the recorded result is injected before a person has confirmed it (sem §5, human-in-loop)',
};
const NOT_PARKED = {
  code: 'not-parked',
  message: 'the run neither waits for a person nor ends with an error that names one (sem §5, human-in-loop)',
};
const NOT_RESUMED = {
  code: 'not-resumed',
  message: 'the run does not go on with the recorded result when a person has confirmed (sem §5, human-in-loop)',
};

const STUCK = {
  code: 'in-flight-for-ever',
  message:
    'a person has confirmed, that was accepted, and the run does not end (sem §5, human-in-loop); where it takes longer than three time-outs, raise --timeout',
};

/** Judges once.verification-human: a failed verification parks the run, and nothing is injected. */
export function judgeParked(seen: SeenVerification): Judgement {
  const facts = factsOf(PARKED, seen);
  if ('verdict' in facts) return facts;
  for (const replay of facts.replays) {
    const fault = faultOf(facts, replay);
    if (fault !== undefined) return fault;
  }
  const left = twinProblem(PARKED, facts) ?? unseenReplays(PARKED, seen) ?? unasked(PARKED, facts);
  if (left !== undefined) return left;
  const how = facts.replays.every(({ run }) => isWaiting(run))
    ? 'the run waits'
    : 'the run ends with an error that names it';
  return passing(PARKED, facts.evidence, how);
}

function faultOf({ verifies }: Facts, replay: FailingReplay): Judgement | undefined {
  const { run, calls, injectedAt, hasCompleted, hasFailed } = replay;
  const evidence = [run, calls];
  const expected = 'the recorded result nowhere, and the run waiting for a person';
  const actual = shownPlaces(replay);
  if (injectedAt.length > 0) {
    return failing(PARKED, { expected, actual, diagnosis: verifies ? INJECTED : NOT_VERIFIED }, evidence);
  }
  if (hasCompleted || (hasFailed && !namesPerson(run))) {
    return failing(PARKED, { expected, actual, diagnosis: NOT_PARKED }, evidence);
  }
  if (hasFailed || isWaiting(run)) return undefined;
  return undecided(PARKED, `${named(run)} neither waits nor has ended: status ${statusOf(run) ?? 'unknown'}`, evidence);
}

/** Whether a failed run's error names the confirmation by a person that it needs. */
function namesPerson(run: SeenRun): boolean {
  const ends = eventsOf(run).filter(({ type }) => type === 'run.failed' || type === 'node.failed');
  return /human|person|manual|confirm|approv/iu.test(
    JSON.stringify([member(run.snapshot, 'error'), ends.map(({ payload }) => payload)]),
  );
}

/** Judges once.verification-human.resume: the run goes on when a person has confirmed. */
export function judgeResumed(seen: SeenVerification): Judgement {
  const facts = factsOf(RESUMED, seen);
  if ('verdict' in facts) return facts;
  const parked = facts.replays.filter(({ run, injectedAt }) => isWaiting(run) && injectedAt.length === 0);
  const outcomes = parked.map((replay) => resumed(seen, facts, replay));
  const fault = outcomes.find((each) => each?.verdict === 'fail') ?? outcomes.find((each) => each !== undefined);
  if (fault !== undefined) return fault;
  if (parked.length > 0) {
    return twinProblem(RESUMED, facts) ?? unseenReplays(RESUMED, seen) ?? passing(RESUMED, facts.evidence);
  }
  const explained = facts.replays.filter(
    ({ run, hasFailed, injectedAt }) => hasFailed && injectedAt.length === 0 && namesPerson(run),
  );
  if (explained.length > 0 && explained.length === facts.replays.length) {
    const reason = 'the host ends the run with an error that names the confirmation: nothing waits';
    return { ...undecided(RESUMED, reason, facts.evidence), verdict: 'not-applicable' };
  }
  return unseenReplays(RESUMED, seen) ?? undecided(RESUMED, 'no replay was parked', facts.evidence);
}

function resumed(seen: SeenVerification, { nonce }: Facts, { run }: FailingReplay): Judgement | undefined {
  const answer = seen.find(
    (each): each is Recorded<ConfirmationObservation> =>
      each.type === 'confirmation' && (each as Recorded<ConfirmationObservation>).of === run.role,
  );
  const path = 'POST /v1/runs/{runId}/interrupts/charge';
  const { answered = null } = answer ?? {};
  if (answer === undefined || answered === null || answered < 200 || answered > 299) {
    const evidence = answer === undefined ? [run] : [answer, run];
    return undecided(
      RESUMED,
      `${path} answered ${answered ?? 'nothing'} to ${named(run)}: let a person confirm there`,
      evidence,
    );
  }
  const later = runOf(seen, confirmed(run.role));
  const stuck = later === undefined ? undefined : stuckAt(later);
  if (later !== undefined && stuck !== undefined) {
    const expected = `an end of ${named(run)} in bounded time when ${path} was answered with ${answered}`;
    return failing(RESUMED, { expected, actual: `status ${stuck}`, diagnosis: STUCK }, [later, answer, run]);
  }
  const missing = unseen(RESUMED, [later]);
  if (missing !== undefined || later === undefined) return missing;
  const places = injectedPlaces(later, nonce);
  if (hasEnded(later, 'completed') && places.length > 0) return undefined;
  const expected = `${named(run)} completes with the recorded result when ${path} was answered with ${answered}`;
  const actual = `status ${statusOf(later) ?? 'unknown'}; the recorded result in ${places.join(', ') || 'no place'}`;
  return failing(RESUMED, { expected, actual, diagnosis: NOT_RESUMED }, [later, answer, run]);
}

/** The status of a run that a person has confirmed and that is not over; undefined where it is, or nobody knows. */
function stuckAt(later: SeenRun): string | undefined {
  const status = statusOf(later);
  if (later.problem === null || status === undefined) return undefined;
  return isBusy(status) || isWaiting(later) ? status : undefined;
}
