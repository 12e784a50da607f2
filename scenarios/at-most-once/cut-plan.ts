import { cutText, type Cut, type CutSet } from '../../src/host/crash.ts';
import type { CellObservation, Pair, PointsObservation } from './cell.ts';
import { stageOfName, wordsOf } from './failpoint-names.ts';

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
 * The single cuts of a run that passed these failpoints. A quick run leaves a cut before a step out that follows the end of
 * another step at once: nothing is written in between, and the host dies in the same state.
 */
export function plannedCuts(passed: readonly string[], set: CutSet): readonly Cut[] {
  const all = cutsIn(passed);
  if (set === 'few') return fewCuts(all);
  const isNew = ({ name }: Cut, index: number): boolean =>
    wordsOf(name).side !== 'before' || wordsOf(passed[index - 1] ?? '').side !== 'after';
  return set === 'full' ? all : all.filter(isNew);
}

/** Pairs that are chosen where not all are made. */
const PAIRS = { few: 1, quick: 6 } as const;

/** The pairs of a matrix whose single cuts came out so; `thereAre` counts all that could be made. */
export function plannedPairs(
  singles: readonly CellObservation[],
  { advertised, cuts, armsAtStart }: Pick<PointsObservation, 'advertised' | 'cuts' | 'armsAtStart'>,
): { readonly pairs: readonly Pair[]; readonly thereAre: number } {
  const all = armsAtStart ? pairsOf(singles, advertised) : [];
  return { pairs: cuts === 'full' ? all : chosenPairs(all, PAIRS[cuts]), thereAre: all.length };
}

/** One cut after each step of the tool call; all where no name says a step. */
export function fewCuts(cuts: readonly Cut[]): readonly Cut[] {
  const stages = new Map(cuts.flatMap((cut) => (cut.hit === 1 ? [[stageOfName(cut.name), cut] as const] : [])));
  stages.delete(undefined);
  return stages.size === 0 ? cuts : [...stages.values()];
}

/**
 * The pairs that there are: each single cut that killed the host with every failpoint that its recovery passed. Where a
 * host does not tell what it passed, with the first pass of every name that it advertises, those that tell a later
 * step of the call first, and without those that tell an earlier one: a recovery goes on and not back.
 */
export function pairsOf(singles: readonly CellObservation[], advertised: readonly string[]): readonly Pair[] {
  return singles.flatMap(({ cut, deaths, passed }) => {
    if (cut === null || deaths.length === 0) return [];
    const seconds = passed === null ? laterNames(cut, advertised).map((name) => ({ name, hit: 1 })) : cutsIn(passed);
    return seconds.map((second) => ({ cut, second }));
  });
}

/** After all stages: names that tell none. */
const LAST = 7;

function laterNames({ name }: Cut, advertised: readonly string[]): readonly string[] {
  const stage = stageOfName(name) ?? -1;
  const later = advertised.filter((each) => each !== name && (stageOfName(each) ?? Infinity) >= stage);
  return later.toSorted((a, b) => (stageOfName(a) ?? LAST) - (stageOfName(b) ?? LAST));
}

/** From which stage on a recovery has something to do, and from which on it goes on to the end. */
const DECLARED = 1;
const RECORDED = 3;

/**
 * So many pairs: first cuts spread evenly over those between the started event and the ledger's commit, first and
 * last included (over all where no name says where it lies); the first of them with the second pass of its recovery, the
 * next with the third, and so on: early passes, while a recovery has not yet written down what it decided.
 */
export function chosenPairs(pairs: readonly Pair[], count: number): readonly Pair[] {
  const first = count === 1 ? RECORDED : DECLARED;
  const inside = pairs.filter(({ cut }) => (stageOfName(cut.name) ?? 0) >= first);
  const among = inside.length === 0 ? pairs : inside;
  const firsts = [...new Set(among.map(({ cut }) => cutText(cut)))];
  const step = count === 1 ? 0 : (firsts.length - 1) / (count - 1);
  const chosen = Array.from({ length: count }, (_, index) => {
    const group = among.filter(({ cut }) => cutText(cut) === firsts[Math.round(index * step)]);
    return group[Math.min(index + 1, group.length - 1)];
  });
  return [...new Set(chosen.filter((pair) => pair !== undefined))];
}
