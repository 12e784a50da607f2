import type { Cut } from '../../src/host/crash.ts';
import { cutsIn } from './cut-plan.ts';
import { FIRST, SECOND } from './fixtures.ts';
import { invocationEvents } from './invocation-events.ts';
import { diedBetween, isReclaimed, type ReclaimObservation } from './reclaim-seen.ts';
import { externalKeys } from './external-key.ts';
import { eventsIn } from './seen-cell.ts';

/** Runs that are tried at most where names tell nothing. */
export const MOST_TRIALS = 8;

/** Drives a run that is cut there; undefined where the scenario was stopped. */
export type Try = (cut: Cut) => Promise<ReclaimObservation | undefined>;

/** Tries one cut after the other until a death lies between the calls. */
export async function tryEach(cuts: readonly Cut[], tryCut: Try): Promise<readonly ReclaimObservation[]> {
  const seen: ReclaimObservation[] = [];
  for (const cut of cuts) {
    const tried = await tryCut(cut);
    if (tried !== undefined) seen.push(tried);
    if (tried === undefined || isReclaimed(tried)) break;
  }
  return seen;
}

/** Searches for a death between the calls among the passes of a run that was not cut, in their order. */
export async function searchBetween(passed: readonly string[], tryCut: Try): Promise<readonly ReclaimObservation[]> {
  const seen: ReclaimObservation[] = [];
  for (let search: Search | undefined = searchIn(passed); search !== undefined && seen.length < MOST_TRIALS;) {
    const place = nextPlace(search);
    const cut = place === undefined ? undefined : search.passes[place];
    const tried = cut === undefined ? undefined : await tryCut(cut);
    if (place === undefined || tried === undefined) break;
    seen.push(tried);
    search = narrowed(search, place, tried);
  }
  return seen;
}

/**
 * A search, by trial, for a pass of a failpoint between two calls, among passes in their order: `from` and what lies before
 * it is too early, `to` and what lies behind it too late.
 */
interface Search {
  readonly passes: readonly Cut[];
  readonly from: number;
  readonly to: number;
}

/** Begins a search among the passes of a run that was not cut. */
function searchIn(passed: readonly string[]): Search {
  const passes = cutsIn(passed);
  return { passes, from: -1, to: passes.length };
}

/**
 * The place to try next: the first second pass of a failpoint that is passed twice, as those of a tool call are in a run with
 * two tools; else halfway. Undefined where no place is left.
 */
function nextPlace({ passes, from, to }: Search): number | undefined {
  if (to - from <= 1) return undefined;
  const isFresh = from === -1 && to === passes.length;
  const twice = isFresh ? passes.findIndex((cut) => cut.hit === 2 && passesOf(passes, cut.name) === 2) : -1;
  return twice === -1 ? Math.floor((from + to) / 2) : twice;
}

function passesOf(passes: readonly Cut[], name: string): number {
  return passes.filter((cut) => cut.name === name).length;
}

/** What is left of a search after a trial at a place: undefined where the trial found what was searched for. */
function narrowed(search: Search, place: number, tried: ReclaimObservation): Search | undefined {
  if (isReclaimed(tried)) return undefined;
  return isEarly(tried) ? { ...search, from: place } : { ...search, to: place };
}

/** Whether the first tool had not been called, or its answer was not recorded; else the second one was already begun. */
function isEarly(tried: ReclaimObservation): boolean {
  if (diedBetween(tried)) return !hasResult(tried);
  const calls = { calls: tried.callsAtDeath };
  return tried.died && externalKeys(calls, FIRST).length === 0 && externalKeys(calls, SECOND).length === 0;
}

function hasResult({ events }: ReclaimObservation): boolean {
  const steps = invocationEvents(eventsIn(events)).filter(({ nodeId }) => nodeId === FIRST.nodeId);
  return steps.some(({ step, outcome }) => step === 'finished' && outcome !== 'failure');
}
