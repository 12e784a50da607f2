import { fail, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { defectOf, placeText } from './cell-defects.ts';
import { cellText } from './cell.ts';
import type { Control, Defect } from './defect.ts';
import { wrong } from './diagnoses.ts';
import type { PlacedCell } from './seen-cell.ts';

/** Cells that a reason names. */
export const NAMED = 5;

/** What is said of cuts that were armed in vain. */
export const NOT_DEAD =
  'armed, and the host was not seen to die: hit counts from the arming on, not from the start of the process';

/** The failure of the first cell that has a defect, or that a cell could not be seen; undefined where all are sound. */
export function judgeCells(cells: readonly PlacedCell[], control: Control): Outcome | undefined {
  const failure = failureIn(cells, (cell) => defectOf(cell, control));
  if (failure !== undefined) return failure;
  const unseen = cells.filter((cell) => isUnseen(cell) || (control.showsLog && isUnread(cell)));
  if (unseen.length === 0) return undefined;
  return undecided(`not seen to its end: ${unseen.slice(0, NAMED).map(problemText).join('; ')}`, unseen);
}

/** The failure of the first of these cells that has a defect, which names the others; undefined where none has. */
export function failureIn(
  cells: readonly PlacedCell[],
  defectIn: (cell: PlacedCell) => Defect | undefined,
): Outcome | undefined {
  const found = cells.flatMap((cell) => {
    const defect = defectIn(cell);
    return defect === undefined ? [] : [{ cell, defect }];
  });
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const { code, expected, ...rest } = first.defect;
  const also = others.length === 0 ? '' : `; ${others.length} more: ${listed(others.map(({ cell }) => cell))}`;
  return fail(
    {
      ...rest,
      expected: `${cellText(first.cell.cell)}: ${expected}`,
      reason: `${placeText(first.cell)}${also}`,
      diagnosis: wrong(code),
    },
    found.map(({ cell }) => cell),
  );
}

/** Whether a cell was driven and nobody could see all of it; a run that was never found again is told apart. */
function isUnseen(cell: PlacedCell): boolean {
  return cell.unattributed || (cell.outcome === 'unknown' && !isLost(cell));
}

/** Whether the log could not be read, so that nobody knows what was written, or lost. */
function isUnread({ cell }: PlacedCell): boolean {
  return cell.log === null && cell.runId !== null;
}

/** Whether the request's answer was lost with the host, which may have made no run. */
export function isLost({ cell }: PlacedCell): boolean {
  return cell.created === 'lost';
}

function problemText(placed: PlacedCell): string {
  const { cell, unattributed } = placed;
  if (unattributed) return `${cellText(cell)} (the request was sent twice, and no key tells of which run a call is)`;
  const revival = cell.deaths.find((death) => !death.revival.ok)?.revival;
  const isSilent = isUnread(placed) && cell.stopped === 'ended';
  const reason = isSilent ? 'its log could not be read' : (cell.problem ?? cell.stopped);
  return `${cellText(cell)} (${revival?.ok === false ? revival.reason : reason})`;
}

/** Cells in words, the first ones. */
export function listed(cells: readonly PlacedCell[]): string {
  const names = cells.slice(0, NAMED).map(({ cell }) => cellText(cell));
  return cells.length > NAMED ? `${names.join(', ')}, …` : names.join(', ');
}
