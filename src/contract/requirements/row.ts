import type { Requirement } from '../requirement.ts';

/** A row as its group's table has it: the group is said once for all of them. */
type Row = Omit<Requirement, 'suite'>;
type Members = Omit<Row, 'id' | 'level'>;

/** The rows of one group. */
export function rowsOf(suite: string, rows: readonly Row[]): readonly Requirement[] {
  return rows.map((row) => ({ ...row, suite }));
}

/** A row that hosts have to meet. */
export function must(id: string, members: Members): Row {
  return { id, level: 'MUST', ...members };
}

/** A row that is advice, unless it is asked for. */
export function should(id: string, members: Members): Row {
  return { id, level: 'SHOULD', ...members };
}
