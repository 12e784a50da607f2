import type { Cut } from '../../src/host/crash.ts';
import type { CellObservation, Pair } from './cell.ts';
import { stageOfName } from './cut-names.ts';

/** Pairs of a quick run. */
const QUICK_PAIRS = 6;

/** Passes of failpoints, in their order, as cuts: each name's passes counted from 1. */
export function cutsIn(passed: readonly string[]): readonly Cut[] {
  const hits = new Map<string, number>();
  return passed.map((name) => {
    const hit = (hits.get(name) ?? 0) + 1;
    hits.set(name, hit);
    return { name, hit };
  });
}

/**
 * The pairs that there are: each single cut that killed the host with every failpoint that its recovery passed. Where a
 * host does not tell what it passed, with the first pass of every name that it advertises.
 */
export function pairsOf(singles: readonly CellObservation[], advertised: readonly string[]): readonly Pair[] {
  return singles.flatMap(({ cut, deaths, passed }) => {
    if (cut === null || deaths.length === 0) return [];
    const seconds = passed === null ? advertised.map((name) => ({ name, hit: 1 })) : cutsIn(passed);
    return seconds.map((second) => ({ cut, second }));
  });
}

/**
 * The pairs of a quick run: so many, spread evenly over those whose first cut lies between the started event and the ledger's
 * commit, first and last included. Where no name tells where it lies, over all.
 */
export function chosenPairs(pairs: readonly Pair[], count = QUICK_PAIRS): readonly Pair[] {
  const inside = pairs.filter(({ cut }) => (stageOfName(cut.name) ?? 0) >= 1);
  return spread(inside.length === 0 ? pairs : inside, count);
}

function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  const step = (all.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => all[Math.round(index * step)]).filter(
    (each) => each !== undefined,
  );
}
