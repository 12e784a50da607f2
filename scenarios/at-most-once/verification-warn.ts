import type { Judgement } from '../../src/contract/verdict.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import type { CounterObservation } from './verification-drive.ts';
import {
  type Facts,
  factsOf,
  type FailingReplay,
  NOT_VERIFIED,
  type SeenVerification,
  shownPlaces,
  twinProblem,
  unasked,
  unseenReplays,
} from './verification-facts.ts';

const CHECK = 'once.verification-warn';

const NOT_INJECTED = {
  code: 'not-injected',
  message: 'a failed verification keeps the recorded result out, or ends the run (sem §5, warn)',
};
const NOT_COUNTED = { code: 'not-counted', message: 'a failed verification is not counted (sem §5, warn)' };
const COUNTED_IN_VAIN = {
  code: 'counted-in-vain',
  message: 'a verification that does not fail is counted as one that does (sem §5, warn)',
};

/** Judges once.verification-warn: a failed verification is counted, and the recorded result is injected all the same. */
export function judgeWarn(seen: SeenVerification): Judgement {
  const facts = factsOf(CHECK, seen);
  if ('verdict' in facts) return facts;
  const twin = twinProblem(CHECK, facts);
  for (const replay of facts.replays) {
    const fault = faultInReplay(replay) ?? faultInCount(seen, facts, replay);
    // A replay that does not come through in the right world either says nothing about a wrong one.
    if (fault !== undefined) return twin ?? fault;
  }
  const vain = countedInVain(seen, facts);
  if (vain !== undefined) return twin ?? vain;
  const left = twin ?? unseenReplays(CHECK, seen) ?? uncounted(seen, facts) ?? unasked(CHECK, facts);
  return left ?? passing(CHECK, facts.evidence);
}

function faultInReplay(replay: FailingReplay): Judgement | undefined {
  const { run, calls, injectedAt, hasCompleted } = replay;
  if (hasCompleted && injectedAt.length > 0) return undefined;
  const expected = 'the recorded result injected, and the run completed';
  return failing(CHECK, { expected, actual: shownPlaces(replay), diagnosis: NOT_INJECTED }, [run, calls]);
}

function counterOf(seen: SeenVerification, run: SeenRun | undefined): Recorded<CounterObservation> | undefined {
  return seen.find(
    (each): each is Recorded<CounterObservation> =>
      each.type === 'counter' && (each as Recorded<CounterObservation>).of === run?.role,
  );
}

/** A counter that a replay in the recorded world raises; one that runs share is not raised by it either. */
function countedInVain(seen: SeenVerification, { source, twin }: Facts): Judgement | undefined {
  const [before, after] = [source, twin].map((run) => counterOf(seen, run));
  if (twin === undefined || before === undefined || after === undefined) return undefined;
  if (before.total === null || after.total === null || after.total <= before.total) return undefined;
  const expected = `ConfirmationReplayWarnTotal of ${before.total} for ${named(twin)}, where the world agrees`;
  return failing(CHECK, { expected, actual: `${after.total}`, diagnosis: COUNTED_IN_VAIN }, [after, before, twin]);
}

function faultInCount(seen: SeenVerification, { verifies }: Facts, replay: FailingReplay): Judgement | undefined {
  const counter = counterOf(seen, replay.run);
  if (counter === undefined || counter.total === null || counter.total > 0) return undefined;
  const expected = `ConfirmationReplayWarnTotal of at least 1 for ${named(replay.run)}`;
  const diagnosis = verifies ? NOT_COUNTED : NOT_VERIFIED;
  return failing(CHECK, { expected, actual: `${counter.total}`, diagnosis }, [counter, replay.run, replay.calls]);
}

function uncounted(seen: SeenVerification, { replays }: Facts): Judgement | undefined {
  for (const replay of replays) {
    const counter = counterOf(seen, replay.run);
    if (counter !== undefined && counter.total !== null) continue;
    const why = counter?.problem ?? 'the counter was not read';
    return undecided(CHECK, `the result is injected, but how often verifications failed is not known: ${why}`, [
      replay.run,
    ]);
  }
  return undefined;
}
