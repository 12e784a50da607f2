import type { Judgement } from '../../src/contract/verdict.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { attemptOf, externalKeys, shownKey } from './external-key.ts';
import { FIRST, SECOND } from './fixtures.ts';
import { diagnoseIdempotencyKey, idempotencyKey } from './idempotency-key.ts';
import { diedBetween, isReclaimed, type ReclaimObservation, type SeenReclaim } from './reclaim-seen.ts';
import { attemptsOf, keysOf, partsOf, stepsOf } from './tool-call-keys.ts';

const ATTEMPT = 'once.external-key.reclaim';
const KEYS = 'once.idempotency-key.retry';

const TWICE_CALLED = { code: 'duplicate-call', message: 'a tool was called again after its worker had died (sem §2)' };
const KEPT = {
  code: 'attempt-kept',
  message: 'a run that was reclaimed calls under the attempt of its dead worker (sem §4.2)',
};
const CHANGED = { code: 'key-changes', message: 'a step has another key after its worker died (sem §4.1)' };
const UNKNOWN = { code: 'unknown-key', message: 'no mistake that is known gives this key (sem §4.1)' };

/** The run to judge by, or the judgement that is left where there is none. */
function reclaimedOf(check: string, seen: SeenReclaim): Recorded<ReclaimObservation> | Judgement {
  const found = seen.find((each) => isReclaimed(each) && each.problem === null);
  if (found !== undefined) return found;
  const expose = 'expose a failpoint between the commit of one call and the claim of the next, such as before-acquire';
  const tried = seen.map((each) => `${each.cut}: ${whyNot(each)}`).join('; ');
  const unread = seen.some(isByTrial) ? `; ${UNREAD}` : '';
  return undecided(
    check,
    tried === '' ? expose : `no death lay between the two calls (${tried}): ${expose}${unread}`,
    seen,
  );
}

const UNREAD =
  'the names of the failpoints are not understood (before or after, and a step such as acquire), so places were found by trial';

function isByTrial({ by }: ReclaimObservation): boolean {
  return by === 'trial';
}

/** What is said of a run that is judged: where its host died, and how that place was found. */
function placeNote(found: ReclaimObservation): string {
  return `with a death at ${found.cut}${isByTrial(found) ? `; ${UNREAD}` : ''}`;
}

function whyNot(seen: ReclaimObservation): string {
  if (seen.problem !== null) return seen.problem;
  return diedBetween(seen)
    ? 'the second tool was not called afterwards'
    : `${seen.callsAtDeath.length} calls at the death`;
}

/** Judges once.external-key.reclaim. */
export function judgeReclaimedAttempt(seen: SeenReclaim): Judgement {
  for (const each of seen) {
    const again = [FIRST, SECOND].find((tool) => diedBetween(each) && externalKeys(each, tool).length > 1);
    if (again === undefined) continue;
    const expected = `one call of the tool of ${again.nodeId}, with a death at ${each.cut}`;
    const actual = `${externalKeys(each, again).length} calls`;
    return failing(ATTEMPT, { expected, actual, diagnosis: TWICE_CALLED }, [each]);
  }
  const found = reclaimedOf(ATTEMPT, seen);
  if ('verdict' in found) return found;
  const [first, second] = [FIRST, SECOND].map((tool) => {
    const [key = null] = externalKeys(found, tool);
    return { key, attempt: attemptOf(key, found.runId, tool) };
  });
  if (first?.attempt === undefined || second?.attempt === undefined) {
    const keys = `${shownKey(first?.key ?? null)}, ${shownKey(second?.key ?? null)}`;
    return undecided(ATTEMPT, `the calls do not carry aetheris:job:step:attempt, see once.external-key: ${keys}`, [
      found,
    ]);
  }
  if (first.attempt !== second.attempt) return passing(ATTEMPT, [found], placeNote(found));
  const expected = `another attempt than ${first.attempt} for ${SECOND.nodeId}, which was called after a death at ${found.cut}`;
  return failing(ATTEMPT, { expected, actual: shownKey(second.key), diagnosis: KEPT }, [found]);
}

/** Judges once.idempotency-key.retry. */
export function judgeRetriedKeys(seen: SeenReclaim): Judgement {
  const found = reclaimedOf(KEYS, seen);
  if ('verdict' in found) return found;
  const before = keysOf(stepsOf({ events: found.before }, FIRST));
  const after = keysOf(stepsOf(found, FIRST));
  if (before.length > 0 && after.length > 0 && [...before, ...after].some((key) => key !== before[0])) {
    const expected = `${FIRST.nodeId} keeps ${before.join(', ')} after a death at ${found.cut}`;
    return failing(KEYS, { expected, actual: after.join(', '), diagnosis: CHANGED }, [found]);
  }
  for (const tool of [FIRST, SECOND]) {
    const steps = stepsOf(found, tool);
    const keys = keysOf(steps);
    if (keys.length === 0 || found.runId === null) {
      return undecided(
        KEYS,
        `the log shows no key of ${tool.nodeId}: give idempotency_key in tool_invocation_started`,
        [found],
      );
    }
    const parts = partsOf(steps, tool, { runId: found.runId, args: tool.args });
    const right = idempotencyKey(parts);
    const wrong = keys.find((key) => key !== right);
    if (wrong === undefined) continue;
    const diagnosis = diagnoseIdempotencyKey(wrong, parts, attemptsOf(steps)) ?? UNKNOWN;
    const expected = `${tool.nodeId}: ${right ?? 'none'}, as without a death`;
    return failing(KEYS, { expected, actual: keys.join(', '), diagnosis }, [found]);
  }
  return passing(
    KEYS,
    [found],
    before.length > 0 ? placeNote(found) : `${placeNote(found)}; no key was seen before it`,
  );
}
