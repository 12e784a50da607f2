import type { Judgement } from '../../src/contract/verdict.ts';
import { cellText } from './cell.ts';
import { isLost, judgeCells, listed, NAMED, NOT_DEAD, passing, undecided } from './judge-windows.ts';
import { neverPassed, type ReadMatrix, type SeenMatrix } from './seen-matrix.ts';
import type { PlacedCell } from './seen-cell.ts';

/** Judges every single cut, the run that was not cut among them: none may be missing. */
export function judgeEveryCut(check: string, matrix: ReadMatrix): Judgement {
  if (typeof matrix === 'string') return undecided(check, matrix, []);
  const cells = [matrix.uncut, ...matrix.singles.filter(isDriven)];
  const found = judgeCells(check, cells, matrix) ?? incomplete(check, matrix, 'singles');
  if (found !== undefined) return found;
  const reached = matrix.singles.filter((cell) => cell.reached);
  if (reached.length === 0) return undecided(check, NO_DEATH, [matrix.uncut]);
  return passing(check, notesOf(`${reached.length} cuts`, reached, matrix), reached);
}

const NO_DEATH = 'no failpoint killed the host';

const ARM_AT_START =
  'a second death during recovery needs a failpoint that is armed for the start: give --restart-command, and let the host read FAILPOINT=name@hit from its environment';

/** Judges every pair of cuts. */
export function judgeRecovery(check: string, matrix: ReadMatrix): Judgement {
  if (typeof matrix === 'string') return undecided(check, matrix, []);
  const { points, pairs } = matrix;
  const found = judgeCells(check, pairs.filter(isDriven), matrix);
  if (found !== undefined) return found;
  if (!points.armsAtStart) return undecided(check, ARM_AT_START, [matrix.uncut]);
  const left = incomplete(check, matrix, 'pairs');
  if (left !== undefined) return left;
  const reached = pairs.filter((cell) => cell.reached);
  if (reached.length === 0 && !matrix.singles.some((cell) => cell.reached)) {
    return undecided(check, NO_DEATH, [matrix.uncut]);
  }
  if (reached.length === 0) {
    return undecided(check, 'no recovery passed a failpoint: expose those of the recovery as well', [matrix.uncut]);
  }
  const all = points.pairs.length < points.pairsThereAre ? ` of ${points.pairsThereAre} (--crash full drives all)` : '';
  return passing(check, notesOf(`${reached.length} pairs${all}`, reached, matrix), reached);
}

function isDriven({ cell }: PlacedCell): boolean {
  return cell.notDriven === null;
}

/** What was planned and not seen; undefined where nothing is left. */
function incomplete(check: string, matrix: SeenMatrix, which: 'singles' | 'pairs'): Judgement | undefined {
  const cells = matrix[which];
  const undriven = cells.filter((cell) => !isDriven(cell));
  // Where passes are searched for by trial, the last one of each name is not there.
  const quiet = matrix.points.by === 'trial' ? [] : cells.filter((cell) => isDriven(cell) && !cell.reached);
  const parts = [
    ...matrix.missing[which].map((name) => `${name} (not recorded)`),
    ...undriven.map(({ cell }) => `${cellText(cell)} (not driven: ${cell.notDriven ?? ''})`),
  ];
  const armed = quiet.length === 0 ? [] : [`${listed(quiet)} (${NOT_DEAD})`];
  if (parts.length + armed.length === 0) return undefined;
  const more = parts.length > NAMED ? [`${parts.length - NAMED} more`] : [];
  return undecided(check, `not every cut was seen: ${[...parts.slice(0, NAMED), ...more, ...armed].join('; ')}`, [
    ...undriven,
    ...quiet,
  ]);
}

function notesOf(count: string, reached: readonly PlacedCell[], matrix: SeenMatrix): string {
  const { points } = matrix;
  const never = neverPassed(matrix);
  const lost = reached.filter(isLost);
  const others = reached.filter(({ othersCalls }) => othersCalls > 0);
  return [
    `${count}, at most one call in each`,
    ...(never.length === 0 ? [] : [`advertised, and passed by no run: ${never.join(', ')}`]),
    ...(points.capped.length === 0 ? [] : [`passed more often than was tried: ${points.capped.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`the run could not be found again, only its calls were counted: ${listed(lost)}`]),
    ...(others.length === 0 ? [] : [`a request that was sent twice made calls for two runs: ${listed(others)}`]),
  ].join('; ');
}
