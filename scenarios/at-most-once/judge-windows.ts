import type { CrashWindow } from '../../src/contract/crash-matrix.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { defectOf, placeText } from './cell-defects.ts';
import { cellText } from './cell.ts';
import type { Defect } from './defect.ts';
import type { PlacedCell } from './seen-cell.ts';
import type { ReadMatrix, SeenMatrix } from './seen-matrix.ts';

/** The failpoint that a host has to expose for a window to be seen. */
const EXPOSE: Readonly<Record<CrashWindow, string>> = {
  '1': 'a failpoint before the started event, such as before-append-started',
  '2': 'a failpoint between the tool and PutEffect, such as after-execute',
  '3': 'a failpoint between PutEffect and the append, such as after-put-effect',
  '4': "a failpoint between the append and the ledger's commit, such as after-append-command-committed",
  '5': "a failpoint after the ledger's commit, such as after-ledger-commit",
};

/** Judges the single cuts that lie in one window of provable-semantics §2. */
export function judgeWindow(check: string, window: CrashWindow, matrix: ReadMatrix): Judgement {
  if (typeof matrix === 'string') return undecided(check, matrix, []);
  const cells = matrix.singles.filter((cell) => cell.reached && cell.window === window);
  if (cells.length === 0) {
    const left = unreachedText(matrix);
    return undecided(check, `no death was seen there: expose ${EXPOSE[window]}${left}`, [matrix.uncut]);
  }
  return judgeCells(check, cells, matrix) ?? passing(check, `${cells.length} cuts: ${listed(cells)}`, cells);
}

/** The failure of the first cell that has a defect, or that a cell could not be seen; undefined where all are sound. */
export function judgeCells(
  check: string,
  cells: readonly PlacedCell[],
  { habits }: Pick<SeenMatrix, 'habits'>,
): Judgement | undefined {
  const wrong = cells.flatMap((cell) => {
    const defect = defectOf(cell, habits);
    return defect === undefined ? [] : [{ cell, defect }];
  });
  const [first, ...others] = wrong;
  const more = others.map(({ cell }) => cell);
  if (first !== undefined) return failing(check, first, more);
  const unseen = cells.filter((cell) => isUnseen(cell) || (habits.showsLog && isUnread(cell)));
  if (unseen.length === 0) return undefined;
  return undecided(check, `not seen to its end: ${unseen.slice(0, NAMED).map(problemText).join('; ')}`, unseen);
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
  const reason =
    revival?.ok === false ? revival.reason : isSilent ? 'its log could not be read' : (cell.problem ?? cell.stopped);
  return `${cellText(cell)} (${reason})`;
}

/** Cells that a reason names. */
export const NAMED = 5;

interface Wrong {
  readonly cell: PlacedCell;
  readonly defect: Defect;
}

/** A failure at a cell, and how many others have one. */
export function failing(check: string, { cell, defect }: Wrong, others: readonly PlacedCell[]): Judgement {
  const also = others.length === 0 ? '' : `; ${others.length} more: ${listed(others)}`;
  return {
    check,
    verdict: 'fail',
    expected: `${cellText(cell.cell)}: ${defect.expected}`,
    actual: defect.actual,
    reason: `${placeText(cell)}${also}`,
    diagnosis: { code: defect.code, message: defect.message },
    evidence: [cell, ...others].map((each) => each.cell.id),
  };
}

/** Cells in words, the first ones. */
export function listed(cells: readonly PlacedCell[]): string {
  const names = cells.slice(0, NAMED).map(({ cell }) => cellText(cell));
  return cells.length > NAMED ? `${names.join(', ')}, …` : names.join(', ');
}

/** What is said of cuts that were armed in vain. */
export const NOT_DEAD =
  'armed, and the host was not seen to die: hit counts from the arming on, not from the start of the process';

function unreachedText({ singles }: SeenMatrix): string {
  const left = singles.filter(({ reached }) => !reached);
  return left.length === 0
    ? ''
    : ` (${listed(left)}: ${left.every(({ cell }) => cell.notDriven === null) ? NOT_DEAD : 'not seen'})`;
}

export function undecided(check: string, reason: string, cells: readonly PlacedCell[]): Judgement {
  return { check, verdict: 'inconclusive', reason, evidence: cells.map(({ cell }) => cell.id) };
}

export function passing(check: string, reason: string, cells: readonly PlacedCell[]): Judgement {
  return { check, verdict: 'pass', reason, evidence: cells.map(({ cell }) => cell.id) };
}
