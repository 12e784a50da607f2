import type { CrashWindow } from '../../src/contract/crash-matrix.ts';
import { pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { cellText } from './cell.ts';
import { isLost, judgeCells, listed, NAMED, NOT_DEAD } from './judge-cells.ts';
import type { PlacedCell } from './seen-cell.ts';
import type { SeenMatrix } from './seen-matrix.ts';

const NO_DEATH = 'no failpoint killed the host';

const ARM_AT_START =
  'a second death during recovery needs a failpoint that is armed for the start: give --restart-command, and let the host read FAILPOINT=name@hit from its environment';

/** Judges the single cuts that lie in one window of provable-semantics §2; `expose` is the failpoint that shows it. */
export function judgeWindow(matrix: SeenMatrix, window: CrashWindow, expose: string): Outcome {
  const cells = matrix.singles.filter((cell) => cell.reached && cell.window === window);
  if (cells.length > 0)
    return judgeCells(cells, matrix.control) ?? pass(cells, `${cells.length} cuts: ${listed(cells)}`);
  const left = matrix.singles.filter(({ reached }) => !reached);
  const why = left.every(isDriven) ? NOT_DEAD : 'not seen';
  const note = left.length === 0 ? '' : ` (${listed(left)}: ${why})`;
  return undecided(`no death was seen there: expose a failpoint ${expose}${note}`, [matrix.uncut]);
}

/** Judges every single cut, the run that was not cut among them: none may be missing. */
export function judgeEveryCut(matrix: SeenMatrix): Outcome {
  const cells = [matrix.uncut, ...matrix.singles.filter(isDriven)];
  const found = judgeCells(cells, matrix.control) ?? incomplete(matrix, 'singles');
  if (found !== undefined) return found;
  const reached = matrix.singles.filter((cell) => cell.reached);
  if (reached.length === 0) return undecided(NO_DEATH, [matrix.uncut]);
  return pass(reached, notesOf(`${reached.length} cuts`, reached, matrix));
}

/** Judges every pair of cuts. */
export function judgeRecovery(matrix: SeenMatrix): Outcome {
  const { points, pairs, singles, uncut, control } = matrix;
  const found = judgeCells(pairs.filter(isDriven), control);
  if (found !== undefined) return found;
  if (!points.armsAtStart) return undecided(ARM_AT_START, [uncut]);
  const left = incomplete(matrix, 'pairs');
  if (left !== undefined) return left;
  const reached = pairs.filter((cell) => cell.reached);
  if (reached.length === 0) {
    const isAlive = !singles.some((cell) => cell.reached);
    return undecided(isAlive ? NO_DEATH : 'no recovery passed a failpoint: expose those of the recovery as well', [
      uncut,
    ]);
  }
  const all = points.pairs.length < points.pairsThereAre ? ` of ${points.pairsThereAre} (--crash full drives all)` : '';
  return pass(reached, notesOf(`${reached.length} pairs${all}`, reached, matrix));
}

function isDriven({ cell }: PlacedCell): boolean {
  return cell.notDriven === null;
}

/** What was planned and not seen; undefined where nothing is left. */
function incomplete(matrix: SeenMatrix, which: 'singles' | 'pairs'): Outcome | undefined {
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
  const said = [...parts.slice(0, NAMED), ...more, ...armed].join('; ');
  return undecided(`not every cut was seen: ${said}`, [...undriven, ...quiet]);
}

/** What a pass adds to its count: whatever was not counted, or not seen. */
function notesOf(count: string, reached: readonly PlacedCell[], { points, singles, pairs }: SeenMatrix): string {
  const passed = new Set([...singles, ...pairs].flatMap(({ cell }) => cell.passed ?? []));
  const lost = reached.filter(isLost);
  const others = reached.filter(({ othersCalls }) => othersCalls > 0);
  const notes: readonly (readonly [what: string, which: string])[] = [
    ['advertised, and passed by no run', points.notPassed.filter((name) => !passed.has(name)).join(', ')],
    ['passed more often than was tried', points.capped.join(', ')],
    ['the run could not be found again, only its calls were counted', listed(lost)],
    ['a request that was sent twice made calls for two runs', listed(others)],
  ];
  const said = notes.flatMap(([what, which]) => (which === '' ? [] : [`; ${what}: ${which}`]));
  return `${count}, at most one call in each${said.join('')}`;
}
