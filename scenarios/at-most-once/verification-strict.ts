import type { Judgement } from '../../src/contract/verdict.ts';
import { named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { isWaiting, statusOf } from './settled-run.ts';
import { afterwards } from './verification-drive.ts';
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

const CHECK = 'once.verification-strict';

const INJECTED = {
  code: 'injected-over-failed-verification',
  message: 'the recorded result is injected although the world disagrees (sem §5, strict)',
};
const NOT_FAILED = {
  code: 'not-failed',
  message: 'the run does not fail although the world disagrees (sem §5, strict)',
};
const NOT_FOR_GOOD = { code: 'not-for-good', message: 'the run goes on when the world agrees again (sem §5, strict)' };

/** Judges once.verification-strict: a failed verification fails the run for good, and nothing is injected. */
export function judgeStrict(seen: SeenVerification): Judgement {
  const facts = factsOf(CHECK, seen);
  if ('verdict' in facts) return facts;
  for (const replay of facts.replays) {
    const fault = faultOf(facts, replay) ?? faultAfterwards(seen, facts, replay);
    if (fault !== undefined) return fault;
  }
  const left = twinProblem(CHECK, facts) ?? unseenReplays(CHECK, seen) ?? unasked(CHECK, facts);
  if (left !== undefined) return left;
  const missing = unseen(
    CHECK,
    facts.replays.map(({ run }) => runOf(seen, afterwards(run.role))),
  );
  return missing ?? passing(CHECK, facts.evidence);
}

function faultOf({ verifies }: Facts, replay: FailingReplay): Judgement | undefined {
  const { run, calls, injectedAt, hasFailed } = replay;
  const isInjected = injectedAt.length > 0;
  if (hasFailed && !isInjected) return undefined;
  const expected = 'the recorded result nowhere, and the run failed';
  const actual = shownPlaces(replay);
  const evidence = [run, calls];
  if (isInjected) return failing(CHECK, { expected, actual, diagnosis: verifies ? INJECTED : NOT_VERIFIED }, evidence);
  if (replay.hasCompleted || isWaiting(run))
    return failing(CHECK, { expected, actual, diagnosis: NOT_FAILED }, evidence);
  return undecided(CHECK, `${named(run)} ended neither failed nor completed`, evidence);
}

function faultAfterwards(seen: SeenVerification, { nonce }: Facts, { run }: FailingReplay): Judgement | undefined {
  const later = runOf(seen, afterwards(run.role));
  if (later === undefined || later.problem !== null) return undefined;
  if (hasEnded(later, 'failed') && !hasEnded(later, 'completed') && injectedPlaces(later, nonce).length === 0) {
    return undefined;
  }
  const expected = `${named(run)} stays failed when the world is right again`;
  const actual = `status ${statusOf(later) ?? 'unknown'}; the recorded result in ${injectedPlaces(later, nonce).join(', ') || 'no place'}`;
  return failing(CHECK, { expected, actual, diagnosis: NOT_FOR_GOOD }, [later, run]);
}
