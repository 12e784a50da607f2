import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { statusIn } from '../shared/snapshot.ts';
import { noncesIn } from '../shared/witnessed-run.ts';
import { callNamesIn, type CallNames, kept, partsOf, untaken } from './call-names.ts';
import { wrong } from './diagnoses.ts';
import { attemptOf, externalKeys, shownKey } from './external-key.ts';
import { type FixtureTool, FIRST, SECOND } from './fixtures.ts';
import { idempotencyKey, isKeyOf, mistakeIn } from './idempotency-key.ts';
import { attemptsOf, keysOf, stepsOf, workersOf } from './invocation-events.ts';
import { holdsAny } from './read-cell.ts';
import { readDecisions } from './two-workers.ts';

/** A run of two tools whose host was to die between them, and what became of it. */
export interface ReclaimObservation extends Observation {
  readonly type: 'reclaim';
  /** The failpoint, as `name@hit`. */
  readonly cut: string;
  /** `trial` where no failpoint's name tells where it lies, and one was searched for; `name` where one did. */
  readonly by: 'name' | 'trial';
  readonly runId: string | null;
  /** Why the run was not seen to the end; null where it was. */
  readonly problem: string | null;
  readonly died: boolean;
  /** The log while the first tool was at work. */
  readonly before: readonly Json[];
  readonly callsAtDeath: readonly Json[];
  /** What the workers decided by then, and in the next life of the host; null where it does not tell. */
  readonly decided?: readonly Json[] | null;
  readonly decidedAfter?: readonly Json[] | null;
  /** The log in the end. */
  readonly events: readonly Json[];
  readonly snapshot: Json;
  readonly calls: readonly Json[];
}

/** Whether the host died after the first call and before the second, and the second tool was called afterwards. */
export function isReclaimed(tried: ReclaimObservation): boolean {
  return diedBetween(tried) && externalKeys(tried, SECOND).length > 0;
}

/** Whether the host died when the first tool had been called once and the second not at all. */
export function diedBetween({ died, callsAtDeath }: ReclaimObservation): boolean {
  const calls = { calls: callsAtDeath };
  return died && externalKeys(calls, FIRST).length === 1 && externalKeys(calls, SECOND).length === 0;
}

type Tried = readonly Recorded<ReclaimObservation>[];

/** The run to judge by, or the outcome that is left where there is none. */
function reclaimedOf(tried: Tried): Recorded<ReclaimObservation> | Outcome {
  const found = tried.find((each) => isReclaimed(each) && each.problem === null);
  if (found !== undefined) return found;
  const expose = 'expose a failpoint between the commit of one call and the claim of the next, such as before-acquire';
  if (tried.length === 0) return undecided(expose, [], [{ step: expose }]);
  const vain = tried.map((each) => `${each.cut}: ${whyNot(each)}`).join('; ');
  return undecided(`no death lay between the two calls (${vain}): ${expose}${unread(tried)}`, tried, [
    { step: expose },
  ]);
}

function whyNot(tried: ReclaimObservation): string {
  if (tried.problem !== null) return tried.problem;
  if (diedBetween(tried)) return 'the second tool was not called afterwards';
  return `${tried.callsAtDeath.length} calls at the death`;
}

function unread(tried: readonly ReclaimObservation[]): string {
  if (tried.every(({ by }) => by === 'name')) return '';
  return '; the names of the failpoints are not understood (before or after, and a step such as acquire), so places were found by trial';
}

/** Where the host of a run that is judged died, and how that place was found. */
function placeNote(found: ReclaimObservation): string {
  return `with a death at ${found.cut}${unread([found])}`;
}

/** The failure of the first of these runs one of whose tools was called more than once; `restsOn` is the row that owns the cause. */
function calledAgain(tried: Tried, restsOn?: string): Outcome | undefined {
  for (const each of tried) {
    const again = [FIRST, SECOND].find((tool) => externalKeys(each, tool).length > 1);
    if (again === undefined) continue;
    const expected = `one call of the tool of ${again.nodeId}, with a death at ${each.cut}`;
    const actual = `${externalKeys(each, again).length} calls`;
    return fail({ expected, actual, diagnosis: wrong('duplicate-call'), restsOn }, [each]);
  }
  return undefined;
}

/** Judges once.external-key.reclaim. */
export function judgeReclaimedAttempt(tried: Tried): Outcome {
  const again = calledAgain(tried.filter(diedBetween), 'once.committed');
  if (again !== undefined) return again;
  const found = reclaimedOf(tried);
  if (isOutcome(found)) return found;
  const [[firstKey = null], [secondKey = null]] = [externalKeys(found, FIRST), externalKeys(found, SECOND)];
  const [first, second] = [
    attemptOf(firstKey, namesOfTool(FIRST, found, tried).own),
    attemptOf(secondKey, namesOfTool(SECOND, found, tried).own),
  ];
  if (first === undefined || second === undefined) {
    const keys = `${shownKey(firstKey)}, ${shownKey(secondKey)}`;
    return undecided(`the calls do not carry aetheris:job:step:attempt, see once.external-key: ${keys}`, [found]);
  }
  if (first !== second) return pass([found], placeNote(found));
  if (!isReclaimShown(found, first)) {
    const step =
      'give attempt_id and worker_id in tool_invocation_started, or the attempt at the seam invocations, so that a reclaim shows';
    const why = `both calls carry the attempt ${first}, and no reclaim is shown: a worker may go on with a claim of its own`;
    return undecidedUntil(step, why, [found]);
  }
  const expected = `another attempt than ${first} for ${SECOND.nodeId}, which was called after a death at ${found.cut}`;
  return fail({ expected, actual: shownKey(secondKey), diagnosis: wrong('attempt-kept') }, [found]);
}

/**
 * Whether the host shows that the run was claimed anew (sem §4.2): the second tool's events name another attempt than the
 * calls carry, or than the first one's do, or another worker; or who was let execute it is of another attempt than they were before.
 */
function isReclaimShown(found: ReclaimObservation, attempt: string): boolean {
  const [first, second] = [stepsOf(found, FIRST), stepsOf(found, SECOND)];
  const before = attemptsOf(first);
  return (
    holdsAnother(attemptsOf(second), before.length > 0 ? before : [attempt]) ||
    holdsAnother(workersOf(second), workersOf(first)) ||
    holdsAnother(allowedIn(found.decidedAfter, SECOND), allowedIn(found.decided, FIRST))
  );
}

/** The attempts that were let execute a tool. */
function allowedIn(decisions: readonly Json[] | null | undefined, tool: FixtureTool): readonly string[] {
  return readDecisions(decisions ?? [], tool).flatMap(({ owns, attempt }) => (owns && attempt !== '' ? attempt : []));
}

/** Whether something is named afterwards that was not named before, where something was. */
function holdsAnother(after: readonly string[], before: readonly string[]): boolean {
  return before.length > 0 && after.some((each) => !before.includes(each));
}

/** Judges once.executed-not-recorded.second-tool, by a run whose host died when both tools had been called. */
export function judgeSecondTool(tried: Tried): Outcome {
  const expose = 'expose a failpoint between the tool and PutEffect, such as after-execute';
  const all = tried.filter(({ died, callsAtDeath }) => {
    const calls = { calls: callsAtDeath };
    return died && [FIRST, SECOND].every((tool) => externalKeys(calls, tool).length === 1);
  });
  const again = calledAgain(all);
  if (again !== undefined) return again;
  const settled = all.find(({ problem }) => problem === null);
  if (settled !== undefined) return madeUpIn(settled, tried) ?? pass([settled], placeNote(settled));
  const [open] = all;
  const why = open?.problem ?? 'no death lay behind the call of the second tool';
  return undecided(`${why}: ${expose}${unread(tried)}`, tried, [{ step: expose }]);
}

/** A run that completed without what its second tool answered: something was made up, as far as runs show their results. */
function madeUpIn(settled: Recorded<ReclaimObservation>, tried: Tried): Outcome | undefined {
  const [nonce] = answersOf(settled, SECOND);
  if (!hasCompleted(settled) || nonce === undefined || showsSecond(settled)) return undefined;
  const control = tried.find((each) => hasCompleted(each) && showsSecond(each));
  if (control === undefined) {
    const step = 'show what a tool returned in tool_invocation_finished, or in the output of its node';
    return undecidedUntil(step, `the run completed after a death at ${settled.cut}, by what is not known`, [settled]);
  }
  const expected = `${nonce}, which ${SECOND.nodeId} was answered, in a run that completes after a death at ${settled.cut}`;
  const actual = 'completed, and it is nowhere in the log and the snapshot';
  return fail({ expected, actual, diagnosis: wrong('lost-result') }, [settled, control]);
}

function hasCompleted({ events, snapshot }: ReclaimObservation): boolean {
  return (endOf(eventsOf({ events })) ?? statusIn(snapshot)) === 'completed';
}

/** Whether log or snapshot hold what the second tool answered. */
function showsSecond(tried: ReclaimObservation): boolean {
  const { events, snapshot } = tried;
  return holdsAny([events.map((event) => member(event, 'payload')), snapshot], answersOf(tried, SECOND));
}

/** What the witness answered a tool. */
function answersOf({ calls }: ReclaimObservation, { effect }: FixtureTool): readonly string[] {
  return noncesIn({ calls: calls.filter((call) => member(call, 'name') === effect) });
}

/** Judges once.idempotency-key.retry. */
export function judgeRetriedKeys(tried: Tried): Outcome {
  const found = reclaimedOf(tried);
  if (isOutcome(found)) return found;
  const before = keysOf(stepsOf({ events: found.before }, FIRST));
  const after = keysOf(stepsOf(found, FIRST));
  if (before.length > 0 && after.length > 0 && [...before, ...after].some((key) => key !== before[0])) {
    const expected = `${FIRST.nodeId} keeps ${before.join(', ')} after a death at ${found.cut}`;
    return fail({ expected, actual: after.join(', '), diagnosis: wrong('key-changes') }, [found]);
  }
  for (const tool of [FIRST, SECOND]) {
    const steps = stepsOf(found, tool);
    const keys = keysOf(steps);
    if (keys.length === 0 || found.runId === null) {
      const why = `the log shows no key of ${tool.nodeId}: give idempotency_key in tool_invocation_started`;
      return undecided(why, [found]);
    }
    const { own, known } = namesOfTool(tool, found, tried);
    const parts = partsOf(steps, tool, { names: known, args: tool.args });
    const other = keys.find((key) => !isKeyOf(key, parts));
    if (other === undefined) continue;
    if (keys.every((key) => isKeyOf(key, partsOf(steps, tool, { names: own, args: tool.args })))) {
      const names = [...own.runIds.slice(1), ...own.nodeIds.slice(1)].join(', ');
      return undecided(`${tool.nodeId}: whether ${names}, of which its key is made, were the same before the death`, [
        found,
      ]);
    }
    const expected = `${tool.nodeId}: ${idempotencyKey(parts[0]) ?? 'none'}, as without a death`;
    return fail({ expected, actual: keys.join(', '), diagnosis: mistakeIn(other, parts, attemptsOf(steps)) }, [found]);
  }
  return pass([found], `${placeNote(found)}${before.length > 0 ? '' : '; no key was seen before it'}`);
}

/** What a call is known by after the death, and what of it was so before: in this run, or in others that called the tool. */
function namesOfTool(tool: typeof FIRST, found: ReclaimObservation, tried: Tried): Record<'own' | 'known', CallNames> {
  const first = callNamesIn(found, FIRST);
  const before = callNamesIn({ ...found, events: found.before }, FIRST);
  if (tool === FIRST) return { own: first, known: kept(first, before) };
  // A name that both steps have is that of neither.
  const own = untaken(callNamesIn(found, tool), [{ ...first, runIds: [] }]);
  const elsewhere = tried.flatMap((each) => (each === found ? [] : callNamesIn(each, tool).nodeIds));
  return { own, known: kept(own, { runIds: before.runIds, nodeIds: elsewhere }) };
}
