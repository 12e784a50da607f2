import { rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { type Defect, defectsOf } from './cell-defects.ts';
import type { Matrix } from './matrix.ts';
import type { Cell } from './read-cell.ts';
import { EVERY_CUT, WINDOWS } from './windows.ts';

/** What a run shows wherever its host dies: one mistake, which the first row that shows it tells. */
const ANYWHERE: ReadonlySet<string> = new Set([
  'lost-event',
  'changed-event',
  'written-twice',
  'lost-run',
  'in-flight-for-ever',
] satisfies readonly Defect[0][]);

/** The row that tells a mistake; undefined where that is nobody's but who shows it. */
type Told = (defect: Defect) => string | undefined;

/** Finds the rows that tell such mistakes: what the run that was not cut shows, too, is no death's doing. */
export function toldIn({ uncut, singles, control }: Matrix): Told {
  const rows = new Map<string, string>();
  const told: Told = (defect) => rows.get(mistakeIn(defect));
  const note = (row: string, cells: readonly Cell[]): void => {
    const shown = cells.map((cell) => defectsOf(cell, control).find((each) => told(each) === undefined));
    const first = shown.find((each) => each !== undefined && each[3] === undefined);
    if (first !== undefined && ANYWHERE.has(first[0])) rows.set(mistakeIn(first), row);
  };
  note(EVERY_CUT, [uncut]);
  for (const [window, row] of WINDOWS) {
    const cells = singles.filter((cell) => cell.reached && cell.window === window);
    note(row, cells);
  }
  return told;
}

/** A mistake with the event, or the member of events, that shows it. */
function mistakeIn([code, expected]: Defect): string {
  return `${code} ${/^(?:one )?[^ ,]+/u.exec(expected)?.[0] ?? ''}`;
}

/** What a cell shows that no other row tells; else the first of what others tell, which rests there. */
export function untoldIn(row: string, { control }: Matrix, told: Told): (cell: Cell) => Defect | undefined {
  const ownerOf = (defect: Defect): string | undefined => {
    const owner = told(defect);
    if (owner !== row) return owner;
    // Every call is written so, with deaths or without.
    return row === EVERY_CUT ? 'once.write-order' : undefined;
  };
  return (cell) => {
    const defects = defectsOf(cell, control);
    const first = defects.find((each) => ownerOf(each) === undefined) ?? defects[0];
    const owner = first && ownerOf(first);
    return first === undefined || owner === undefined ? first : [first[0], first[1], first[2], owner];
  };
}

/** What is left of a row for which no death was seen, where runs that died are not known any more: nobody can say what was there. */
export function withoutRuns(matrix: Matrix): Outcome | undefined {
  const { singles, control } = matrix;
  const lost = singles.filter(({ reached, outcome }) => reached && outcome === 'missing');
  const told = toldIn(matrix);
  const [row] = lost.flatMap((cell) => defectsOf(cell, control).flatMap((each) => told(each) ?? []));
  return lost.length === 0
    ? undefined
    : rests(row ?? EVERY_CUT, undecided('there were deaths, and the host did not know the runs that died', lost));
}
