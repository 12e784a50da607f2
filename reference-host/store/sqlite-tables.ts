import { type Database, type Statement, transactions } from './sqlite.ts';
import {
  type Part,
  type Row,
  SHAPES,
  type Table,
  type TableName,
  type Tables,
  type Value,
  type Where,
} from './tables.ts';

/** The tables of a database that `openDatabase` or `openSharedDatabase` gave. `close` is what closes it. */
export function createSqliteTables(database: Database, close: () => void): Tables {
  const tables = new Map<TableName, Table>();
  return {
    table(name) {
      const table = tables.get(name) ?? createSqliteTable(database, name);
      tables.set(name, table);
      return table;
    },
    atomically: transactions(database),
    close,
  };
}

const OR_ELSE = { throw: 'INSERT', keep: 'INSERT OR IGNORE', replace: 'INSERT OR REPLACE' } as const;

function createSqliteTable(database: Database, name: TableName): Table {
  const { keys } = SHAPES[name];
  const last = keys.at(-1) ?? '';
  const prepared = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const change = (sql: string, values: readonly Value[]): number => Number(statement(sql).run(...values).changes);
  const select = (where: Where, { above, backwards, limit }: Part = {}): Row[] => {
    const chosen = conditions(where, above === undefined ? [] : [`${last} > ?`]);
    const order = keys.map((key) => (backwards === true ? `${key} DESC` : key)).join(', ');
    const sql = `SELECT * FROM ${name}${chosen} ORDER BY ${order} LIMIT ?`;
    return statement(sql).all(...Object.values(where), ...(above === undefined ? [] : [above]), limit ?? -1);
  };
  return {
    insert(row, orElse = 'throw') {
      const columns = Object.keys(row);
      const sql = `${OR_ELSE[orElse]} INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
      return change(sql, Object.values(row)) > 0;
    },
    get: (where) => select(where, { limit: 1 })[0],
    select,
    update(where, row) {
      const set = Object.keys(row).map((column) => `${column} = ?`);
      const sql = `UPDATE ${name} SET ${set.join(', ')}${conditions(where)}`;
      return change(sql, [...Object.values(row), ...Object.values(where)]);
    },
    remove(where, below) {
      const sql = `DELETE FROM ${name}${conditions(where, below === undefined ? [] : [`${last} < ?`])}`;
      return change(sql, [...Object.values(where), ...(below === undefined ? [] : [below])]);
    },
  };
}

function conditions(where: Where, more: readonly string[] = []): string {
  const all = [...Object.keys(where).map((column) => `${column} = ?`), ...more];
  return all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`;
}
