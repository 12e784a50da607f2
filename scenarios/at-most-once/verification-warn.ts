import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { named } from '../shared/compare-runs.ts';
import { wrong } from './diagnoses.ts';
import { type Facts, type FailingReplay, fateText } from './verification-facts.ts';

/**
 * Judges once.verification-warn: a failed verification is counted, and the recorded result is injected all the same. A
 * host whose replay does not come through in the right world either says nothing of a wrong one.
 */
export function judgeWarn(facts: Facts): Outcome {
  const { replays, withoutControl, withoutReplays, withoutVerification, evidence } = facts;
  if (withoutControl !== undefined) return withoutControl;
  const [found] = replays.flatMap((replay) => judgeReplay(replay) ?? judgeCount(replay, facts) ?? []);
  const left = found ?? countedInVain(facts) ?? withoutReplays;
  return left ?? replays.flatMap((replay) => uncounted(replay) ?? [])[0] ?? withoutVerification ?? pass(evidence);
}

function judgeReplay(replay: FailingReplay): Outcome | undefined {
  const { run, calls, injectedAt, hasCompleted } = replay;
  if (hasCompleted && injectedAt.length > 0) return undefined;
  const expected = 'the recorded result injected, and the run completed';
  return fail({ expected, actual: fateText(replay), diagnosis: wrong('not-injected') }, [run, calls]);
}

function judgeCount({ run, calls, counter }: FailingReplay, { verifies }: Facts): Outcome | undefined {
  if (counter === undefined || counter.total === null || counter.total > 0) return undefined;
  const expected = `ConfirmationReplayWarnTotal of at least 1 for ${named(run)}`;
  const diagnosis = wrong(verifies ? 'not-counted' : 'not-verified');
  return fail({ expected, actual: `${counter.total}`, diagnosis }, [counter, run, calls]);
}

/** A counter that a replay in the recorded world raises; one that runs share is not raised by it either. */
function countedInVain({ control, counters: [before, after] }: Facts): Outcome | undefined {
  if (control === undefined || before === undefined || after === undefined) return undefined;
  if (before.total === null || after.total === null || after.total <= before.total) return undefined;
  const expected = `ConfirmationReplayWarnTotal of ${before.total} for ${named(control)}, where the world agrees`;
  const mismatch = { expected, actual: `${after.total}`, diagnosis: wrong('counted-in-vain') };
  return fail(mismatch, [after, before, control]);
}

function uncounted({ run, counter }: FailingReplay): Outcome | undefined {
  if (counter !== undefined && counter.total !== null) return undefined;
  const why = counter?.problem ?? 'the counter was not read';
  return undecided(`the result is injected, but how often verifications failed is not known: ${why}`, [run]);
}
