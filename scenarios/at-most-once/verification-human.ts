import { member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { leftWithout, type SeenRun } from '../shared/need.ts';
import { openOf } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { isBusy } from './run-status.ts';
import { isWaiting, statusOf } from './settled-run.ts';
import { type Facts, type FailingReplay, type Fate, fateText } from './verification-facts.ts';

/** Judges once.verification-human: a failed verification parks the run, and nothing is injected. */
export function judgeParked(facts: Facts): Outcome {
  const { replays, withoutControl, withoutReplays, withoutVerification, evidence } = facts;
  const [found] = replays.flatMap((replay) => judgeReplay(replay, facts) ?? []);
  const left = found ?? withoutControl ?? withoutReplays ?? withoutVerification;
  const waits = replays.every(({ run }) => isWaiting(run));
  return left ?? pass(evidence, waits ? 'the run waits' : 'the run ends with an error that names it');
}

function judgeReplay(replay: FailingReplay, { verifies }: Facts): Outcome | undefined {
  const { run, calls, injectedAt, hasCompleted, hasFailed } = replay;
  const isInjected = injectedAt.length > 0;
  if (isInjected || hasCompleted || (hasFailed && !namesPerson(run))) {
    const injected = verifies ? 'injected-without-confirmation' : 'not-verified';
    const diagnosis = wrong(isInjected ? injected : 'not-parked');
    const expected = 'the recorded result nowhere, and the run waiting for a person';
    return fail({ expected, actual: fateText(replay), diagnosis }, [run, calls]);
  }
  if (hasFailed || isWaiting(run)) return undefined;
  const reason = `${named(run)} neither waits nor has ended: status ${statusOf(run) ?? 'unknown'}`;
  return undecided(reason, [run, calls]);
}

/** Whether a failed run's error names the confirmation by a person that it needs. */
function namesPerson(run: SeenRun): boolean {
  const ends = eventsOf(run).filter(({ type }) => type === 'run.failed' || type === 'node.failed');
  return /human|person|manual|confirm|approv/iu.test(
    JSON.stringify([member(run.snapshot, 'error'), ends.map(({ payload }) => payload)]),
  );
}

/** Judges once.verification-human.resume: the run goes on when a person has confirmed. */
export function judgeResumed({ replays, withoutControl, withoutReplays, evidence }: Facts): Outcome {
  const parked = replays.filter(({ run, injectedAt }) => isWaiting(run) && injectedAt.length === 0);
  if (parked.length > 0)
    return openOf(parked.map(judgeConfirmed)) ?? withoutControl ?? withoutReplays ?? pass(evidence);
  if (replays.length > 0 && replays.every(isExplained)) {
    const reason = 'the host ends the run with an error that names the confirmation: nothing waits';
    return notApplicable(reason, evidence);
  }
  return withoutReplays ?? undecided('no replay was parked', evidence);
}

/** Whether a replay failed, without the result, by an error that names the confirmation. */
function isExplained({ run, hasFailed, injectedAt }: Fate): boolean {
  return hasFailed && injectedAt.length === 0 && namesPerson(run);
}

function judgeConfirmed({ run, confirmation, later }: FailingReplay): Outcome {
  const path = 'POST /v1/runs/{runId}/interrupts/charge';
  const answered = confirmation?.answered ?? null;
  if (confirmation === undefined || !isSuccess(answered)) {
    const reason = `${path} answered ${answered ?? 'nothing'} to ${named(run)}: let a person confirm there`;
    return undecided(reason, confirmation === undefined ? [run] : [confirmation, run]);
  }
  const accepted = `when ${path} was answered with ${answered ?? ''}`;
  const stuck = later === undefined ? undefined : stuckAt(later.run);
  if (later !== undefined && stuck !== undefined) {
    const expected = `an end of ${named(run)} in three time-outs ${accepted}; where the host needs longer, raise --timeout`;
    const diagnosis = wrong('in-flight-for-ever');
    return fail({ expected, actual: `status ${stuck}`, diagnosis }, [later.run, confirmation, run]);
  }
  const left = leftWithout([later?.run]);
  if (left !== undefined || later === undefined) return left ?? undecided('a run was not driven', []);
  const evidence = [later.run, confirmation, run];
  if (later.hasCompleted && later.injectedAt.length > 0) return pass(evidence);
  const expected = `${named(run)} completes with the recorded result ${accepted}`;
  return fail({ expected, actual: fateText(later), diagnosis: wrong('not-resumed') }, evidence);
}

/** The status of a run that a person has confirmed and that is not over; undefined where it is, or nobody knows. */
function stuckAt(later: SeenRun): string | undefined {
  const status = statusOf(later);
  if (later.problem === null || status === undefined) return undefined;
  return isBusy(status) || isWaiting(later) ? status : undefined;
}
