import { rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { answerOf, showsAny } from './cell-defects.ts';
import {
  cellText,
  inOrderOf,
  keyOf,
  plannedCells,
  type CellObservation,
  type Cuts,
  type PointsObservation,
  UNCUT,
} from './cell.ts';
import { changedMembers, isSameContent } from './changed-member.ts';
import { plannedCuts, plannedPairs } from './cut-plan.ts';
import { passedOnce } from './failpoint-names.ts';
import { placeCell, placePair, placingOf, type Placing } from './place-cell.ts';
import { argumentless, readCell, type Cell, type Control } from './read-cell.ts';
import { controlOfAnswers } from './shown-answers.ts';
import { leftUndriven } from '../shared/need.ts';

/** The whole matrix as its judges read it. */
export interface Matrix {
  readonly points: Recorded<PointsObservation>;
  readonly uncut: Cell;
  readonly control: Control;
  readonly placing: Placing;
  /** Cells with one cut and with two, in the order in which they were planned. */
  readonly singles: readonly Cell[];
  readonly pairs: readonly Cell[];
  /** Planned cuts, in words, of which nothing was recorded. */
  readonly missing: { readonly singles: readonly string[]; readonly pairs: readonly string[] };
}

/** Reads what was recorded of a matrix; the outcome that is left where it proves nothing at all. */
export function readMatrix(recorded: Recordings): Matrix | Outcome {
  const [points] = ofType<PointsObservation>(recorded, 'points');
  const cells = ofType<CellObservation>(recorded, 'cell').map(readCell);
  const uncut = cells.find(({ cell }) => cell.cut === null);
  const left = leftWithout(points, uncut);
  if (points === undefined || uncut === undefined || left !== undefined) return left ?? leftUndriven(UNCUT);
  const placing = placingOf(points, uncut);
  const placed = cells.map((cell) => placeCell(cell, placing));
  const singles = placed.filter(({ cell }) => cell.cut !== null && cell.second === null);
  const firsts = new Map(singles.map((single) => [keyOf(single.cell), single]));
  const pairs = placed
    .filter(({ cell }) => cell.second !== null)
    .map((pair) => placePair(pair, firsts.get(keyOf({ ...pair.cell, second: null }))));
  const known = new Set(placed.map(({ cell }) => keyOf(cell)));
  const missingOf = (planned: readonly Cuts[]): readonly string[] => [
    ...new Set(planned.filter((cuts) => !known.has(keyOf(cuts))).map(cellText)),
  ];
  const wanted = wantedCells(points, uncut, singles);
  const missing = { singles: missingOf(wanted.singles), pairs: missingOf(wanted.pairs) };
  return { points, uncut: placeCell(uncut, placing), control: controlOf(uncut), placing, singles, pairs, missing };
}

/** Why no death was seen: none was to be, or none came. */
export function withoutDeath({ singles }: Matrix): string {
  return singles.length === 0
    ? 'no failpoint was armed: the run that was not cut passed none'
    : 'no failpoint killed the host';
}

/** The outcome that is left where the run that was not cut is no control of the others. */
function leftWithout(points: PointsObservation | undefined, uncut: Cell | undefined): Outcome | undefined {
  if (points === undefined) return leftUndriven(UNCUT);
  if (points.problem !== null) {
    const left = undecided(`the points at which the host can be cut are not known: ${points.problem}`, []);
    return uncut?.cell.created === 'refused' ? rests(FOUNDATIONS.runs, left) : left;
  }
  if (uncut === undefined) return leftUndriven(UNCUT);
  if (uncut.calls === 0) {
    const advice = 'allow its address (hosts that guard against loopback addresses refuse it), or give --witness-url';
    return undecided(`the run that was not cut did not call the witness: ${advice}`, []);
  }
  if (uncut.outcome === 'completed') return undefined;
  return undecided(`the run that was not cut came out as ${uncut.outcome}`, []);
}

/** The cells that there have to be: what the run that was not cut passed says more than a plan. */
function wantedCells(points: PointsObservation, { cell: { passed } }: Cell, singles: readonly Cell[]) {
  const { by, cuts, planned, pairs } = points;
  const more = by === 'passed' && passed !== null ? plannedCuts(passed, cuts) : [];
  const driven = singles.map(({ cell }) => cell);
  const cells = inOrderOf(plannedCells({ planned, pairs: [] }), driven);
  return {
    singles: plannedCells({ planned: [...planned, ...more], pairs: [] }),
    pairs: [...pairs, ...plannedPairs(cells, points).pairs],
  };
}

/** What the run that was not cut shows of its host. */
export function controlOf(uncut: Cell): Control {
  const kept = new Map(uncut.events.map((event) => [event.eventId, event]));
  const live = eventsOf({ events: uncut.cell.live ?? [] });
  const pairs = live.map((shown) => ({ shown, event: kept.get(shown.eventId) }));
  const unsteady = pairs.filter(({ shown, event }) => event === undefined || !isSameContent(event, shown));
  return {
    unsteady: new Set(unsteady.map(({ shown }) => shown.type)),
    restless: restlessMembers(pairs),
    showsLog: uncut.events.length > 0,
    steps: new Map(uncut.invocations.map(({ step, event }) => [step, event.type])),
    onceShown: new Set(passedOnce(uncut.invocations.map(({ step }) => step))),
    sendsArgs: uncut.nonces.length > 0 && argumentless(uncut).length === 0,
    showsResult: showsAny(uncut, uncut.nonces.slice(0, 1)),
    agrees: answerOf(uncut.cell).kind === 'agrees',
    ...controlOfAnswers(uncut),
  };
}

/** An event as it was shown live, and as it stands in the log. */
interface TwoReadings {
  readonly shown: RunEvent;
  readonly event: RunEvent | undefined;
}

/** Members that differ between two readings of the log of a run to which nothing happens. */
function restlessMembers(pairs: readonly TwoReadings[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { shown, event } of pairs) {
    if (event === undefined) continue;
    for (const { name } of changedMembers(shown, event, names)) names.add(name);
  }
  return names;
}
