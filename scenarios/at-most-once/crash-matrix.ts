import type { CrashCell, CrashMatrix } from '../../src/contract/crash-matrix.ts';
import { isOutcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { damageIn } from '../../src/runner/damage.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { cutText } from '../../src/host/crash.ts';
import { lostEvents } from './cell-defects.ts';
import { keyOf, plannedCells } from './cell.ts';
import { readMatrix } from './matrix.ts';
import type { Cell } from './read-cell.ts';

/** The matrix as a report shows it; null where none was driven. Pure. */
export function crashMatrix(observations: readonly Observation[]): CrashMatrix | null {
  // Ids are of no use here: observations that carry none are as good.
  const recorded = observations.map((observation, index): Recorded<Observation> => ({
    id: `o${index}`,
    ...observation,
  }));
  if (damageIn('at-most-once', recorded) !== undefined) return null;
  const matrix = readMatrix(recorded);
  if (isOutcome(matrix)) return null;
  const { points, control, singles, pairs } = matrix;
  const planned = new Set(plannedCells(points).map(keyOf));
  const shown = [...singles, ...pairs].filter(({ reached, cell }) => reached || planned.has(keyOf(cell)));
  const reached = shown.filter((cell) => cell.reached);
  return {
    points: [...new Set([...points.planned.map(({ name }) => name), ...points.notPassed])],
    cells: shown.map(cellOf),
    figures: {
      cuts: reached.filter(({ cell }) => cell.second === null).length,
      pairs: reached.filter(({ cell }) => cell.second !== null).length,
      duplicateCalls: sum(shown.map(({ calls }) => Math.max(0, calls - 1))),
      lostEvents: sum(shown.map((cell) => lostEvents(cell, control).length)),
      medianCycleMs: median(reached.flatMap(({ cell }) => cell.cycleMs ?? [])),
    },
  };
}

function cellOf(recorded: Cell): CrashCell {
  const { cell, window, found, calls, reached } = recorded;
  const isDriven = cell.notDriven === null;
  return {
    cut: cell.cut === null ? '' : cutText(cell.cut),
    second: cell.second === null ? null : cutText(cell.second),
    window,
    calls: isDriven ? calls : null,
    found,
    outcome: isDriven && !reached ? 'not reached' : outcomeOf(recorded),
    cycleMs: cell.cycleMs,
  };
}

function outcomeOf({ outcome }: Cell): CrashCell['outcome'] {
  return outcome === 'completed' || outcome === 'failed' || outcome === 'parked' ? outcome : 'unknown';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}
