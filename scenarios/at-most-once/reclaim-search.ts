import type { Cut } from '../../src/host/crash.ts';
import { cutsIn } from './cut-plan.ts';
import { diedBetween, isReclaimed, type ReclaimObservation } from './reclaim-judges.ts';
import { externalKeys } from './external-key.ts';
import { FIRST, SECOND } from './fixtures.ts';
import { stepsOf } from './invocation-events.ts';

/** Runs that are tried at most where names tell nothing. */
export const MOST_TRIALS = 8;

/** Drives a run that is cut there; undefined where the scenario was stopped. */
type Try = (cut: Cut) => Promise<ReclaimObservation | undefined>;

/** Tries one cut after the other until a death lies between the calls. */
export async function tryEach(cuts: readonly Cut[], tryCut: Try): Promise<readonly ReclaimObservation[]> {
  const all: ReclaimObservation[] = [];
  for (const cut of cuts) {
    const tried = await tryCut(cut);
    if (tried !== undefined) all.push(tried);
    if (tried === undefined || isReclaimed(tried)) break;
  }
  return all;
}

/** Searches by trial for a death between the calls, among the passes of a run that was not cut, in their order. */
export async function searchBetween(passed: readonly string[], tryCut: Try): Promise<readonly ReclaimObservation[]> {
  const passes = cutsIn(passed);
  const all: ReclaimObservation[] = [];
  // Up to `from` it is too early, from `to` on too late.
  let [from, to] = [-1, passes.length];
  while (to - from > 1 && all.length < MOST_TRIALS) {
    const halfway = Math.floor((from + to) / 2);
    const place = all.length === 0 ? (secondPass(passes) ?? halfway) : halfway;
    const cut = passes[place];
    const tried = cut && (await tryCut(cut));
    if (tried === undefined) break;
    all.push(tried);
    if (isReclaimed(tried)) break;
    if (isEarly(tried)) from = place;
    else to = place;
  }
  return all;
}

/** The first second pass of a failpoint that is passed twice, as those of a tool call are in a run with two tools. */
function secondPass(passes: readonly Cut[]): number | undefined {
  const isLast = ({ name }: Cut): boolean => !passes.some((other) => other.name === name && other.hit > 2);
  const place = passes.findIndex((cut) => cut.hit === 2 && isLast(cut));
  return place === -1 ? undefined : place;
}

/** Whether the first tool had not been called, or its answer was not recorded; else the second one was already begun. */
function isEarly(tried: ReclaimObservation): boolean {
  const calls = { calls: tried.callsAtDeath };
  if (!diedBetween(tried)) return tried.died && [FIRST, SECOND].every((tool) => externalKeys(calls, tool).length === 0);
  return !stepsOf(tried, FIRST).some(({ step, outcome }) => step === 'finished' && outcome !== 'failure');
}
