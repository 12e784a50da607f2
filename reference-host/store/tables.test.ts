import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../test/host-lives.ts';
import { closeDatabase, openDatabase } from './database.ts';
import { createMemoryTables } from './memory-tables.ts';
import { openSqlite } from './sqlite.ts';
import { createSqliteTables } from './sqlite-tables.ts';
import { type Row, SHAPES, type TableName, type Tables } from './tables.ts';

const folder = useFolder('tables-');

let files = 0;
function inFile(): Tables {
  files += 1;
  const database = openDatabase(join(folder, `${files}.db`));
  return createSqliteTables(database, () => closeDatabase(database));
}

const KINDS = [
  { kind: 'in memory', create: createMemoryTables },
  { kind: 'in a file', create: inFile },
];

const annotation = (id: string, runId = 'run', text = '{}'): Row => ({
  annotation_id: id,
  run_id: runId,
  annotation: text,
});
const answer = (key: string, status = 200): Row => ({
  tenant: 't',
  endpoint: 'e',
  key,
  request_sha256: '',
  status,
  body: '',
});
const deletion = (path: string, runId = 'run'): Row => ({ run_id: runId, path });

describe.each(KINDS)('tables $kind', ({ create }) => {
  it('have one row for each key: a second one throws, is left out, or replaces the first', () => {
    const tables = create();
    const answers = tables.table('idempotency');
    const key = { tenant: 't', endpoint: 'e', key: 'k' };
    expect(answers.insert(answer('k'))).toBe(true);
    expect(() => answers.insert(answer('k', 201))).toThrow(Error);
    expect(answers.insert(answer('k', 202), 'keep')).toBe(false);
    expect(answers.get(key)).toMatchObject({ status: 200 });
    expect(answers.insert(answer('k', 203), 'replace')).toBe(true);
    expect(answers.get(key)).toMatchObject({ status: 203 });
    expect(answers.get({ ...key, key: 'other' })).toBeUndefined();
    tables.close();
  });

  it('give rows in the order of their keys, from either end, above a number, so many', () => {
    const tables = create();
    const events = tables.table('events');
    for (const sequence of [3, 1, 11, 2]) events.insert(event(sequence));
    events.insert(event(5, 'other'));
    const numbers = (...given: Parameters<typeof events.select>) =>
      events.select(...given).map((row) => row['sequence']);
    const where = { run_id: 'run' };
    expect(numbers(where)).toEqual([1, 2, 3, 11]);
    expect(numbers(where, { backwards: true, limit: 3 })).toEqual([11, 3, 2]);
    expect(numbers(where, { above: 1, limit: 2 })).toEqual([2, 3]);
    expect(numbers(where, { above: 11 })).toEqual([]);
    expect(numbers({ ...where, type: 'none' })).toEqual([]);
    expect(numbers({})).toHaveLength(5);
    expect(events.remove(where, 3)).toBe(2);
    expect(numbers(where)).toEqual([3, 11]);
    tables.close();
  });

  it('change and remove what is asked for and nothing else', () => {
    const tables = create();
    const annotations = tables.table('annotations');
    for (const id of ['a', 'b', 'c']) annotations.insert(annotation(id, id === 'c' ? 'other' : 'run'));
    expect(annotations.update({ run_id: 'run' }, { annotation: '1' })).toBe(2);
    expect(annotations.update({ run_id: 'none' }, { annotation: '2' })).toBe(0);
    expect(annotations.select({}).map((row) => row['annotation'])).toEqual(['1', '1', '{}']);
    expect(annotations.remove({ annotation_id: 'a' })).toBe(1);
    expect(annotations.remove({ annotation_id: 'a' })).toBe(0);
    expect(annotations.select({ run_id: 'run' })).toEqual([annotation('b', 'run', '1')]);
    tables.close();
  });

  it('keep all writes of a work or none, also of works within it', () => {
    const tables = create();
    const [deletions, annotations] = [tables.table('deletions'), tables.table('annotations')];
    deletions.insert(deletion('/a'));
    annotations.insert(annotation('a'));
    const failing = (): never =>
      tables.atomically(() => {
        deletions.insert(deletion('/b'));
        annotations.update({ annotation_id: 'a' }, { annotation: '1' });
        tables.atomically(() => deletions.remove({ path: '/a' }));
        throw new Error('refused');
      });
    expect(failing).toThrow('refused');
    expect(deletions.select({})).toEqual([deletion('/a')]);
    expect(annotations.select({})).toEqual([annotation('a')]);
    expect(tables.atomically(() => deletions.insert(deletion('/b')))).toBe(true);
    expect(deletions.select({ run_id: 'run' })).toHaveLength(2);
    tables.close();
  });

  it('cannot be used once they are closed', () => {
    const tables = create();
    const deletions = tables.table('deletions');
    tables.close();
    expect(() => deletions.select({})).toThrow(Error);
    expect(() => deletions.insert(deletion('/a'))).toThrow(Error);
    expect(() => tables.atomically(() => 1)).toThrow(Error);
  });
});

function event(sequence: number, runId = 'run'): Row {
  const place = { run_id: runId, sequence, event_id: `${runId}-${sequence}`, type: 'variable.changed' };
  return { ...place, node_id: null, causation_id: null, payload: '{}', timestamp: '' };
}

describe('SHAPES', () => {
  it('names the tables of a data file and their keys', () => {
    const file = join(folder, 'shapes.db');
    closeDatabase(openDatabase(file));
    const database = openSqlite(file, { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    expect(new Set(tables.map((row) => row['name']))).toEqual(new Set(Object.keys(SHAPES)));
    for (const name of Object.keys(SHAPES) as TableName[]) {
      const columns = database.prepare(`SELECT name, pk FROM pragma_table_info('${name}')`).all();
      const keys = columns.filter((row) => row['pk'] !== 0).toSorted((a, b) => Number(a['pk']) - Number(b['pk']));
      expect(keys.map((row) => row['name'])).toEqual(SHAPES[name].keys);
      const names = columns.map((row) => row['name']);
      expect(names).toEqual(expect.arrayContaining(SHAPES[name].by.flat()));
    }
    database.close();
  });
});
