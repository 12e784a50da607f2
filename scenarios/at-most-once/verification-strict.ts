import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { named } from '../shared/compare-runs.ts';
import { leftWithout } from '../shared/need.ts';
import { wrong } from './diagnoses.ts';
import { isWaiting } from './settled-run.ts';
import { type Facts, type FailingReplay, fateText } from './verification-facts.ts';

/** Judges once.verification-strict: a failed verification fails the run for good, and nothing is injected. */
export function judgeStrict(facts: Facts): Outcome {
  const { replays, withoutControl, withoutReplays, withoutVerification, evidence } = facts;
  const [found] = replays.flatMap((replay) => judgeReplay(replay, facts) ?? judgeAfterwards(replay) ?? []);
  const left = found ?? withoutControl ?? withoutReplays ?? withoutVerification;
  return left ?? leftWithout(replays.map(({ later }) => later?.run)) ?? pass(evidence);
}

function judgeReplay(replay: FailingReplay, { verifies }: Facts): Outcome | undefined {
  const { run, calls, injectedAt, hasFailed, hasCompleted } = replay;
  const isInjected = injectedAt.length > 0;
  if (hasFailed && !isInjected) return undefined;
  if (!isInjected && !hasCompleted && !isWaiting(run)) {
    return undecided(`${named(run)} ended neither failed nor completed`, [run, calls]);
  }
  const injected = verifies ? 'injected-over-failed-verification' : 'not-verified';
  const diagnosis = wrong(isInjected ? injected : 'not-failed');
  const expected = 'the recorded result nowhere, and the run failed';
  return fail({ expected, actual: fateText(replay), diagnosis }, [run, calls]);
}

function judgeAfterwards({ run, later }: FailingReplay): Outcome | undefined {
  if (later === undefined || later.run.problem !== null) return undefined;
  if (later.hasFailed && !later.hasCompleted && later.injectedAt.length === 0) return undefined;
  const expected = `${named(run)} stays failed when the world is right again`;
  return fail({ expected, actual: fateText(later), diagnosis: wrong('not-for-good') }, [later.run, run]);
}
