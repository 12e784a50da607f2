import {
  type Part,
  type Row,
  type Shape,
  SHAPES,
  type Table,
  type TableName,
  type Tables,
  type Where,
} from './tables.ts';

/** Tables in memory, which need no driver and are gone with the process. */
export function createMemoryTables(): Tables {
  const tables = new Map<TableName, Table>();
  const undo = createUndo();
  return {
    table(name) {
      const table = tables.get(name) ?? createMemoryTable(SHAPES[name], undo);
      tables.set(name, table);
      return table;
    },
    atomically: undo.atomically,
    close: undo.close,
  };
}

interface Undo extends Pick<Tables, 'atomically'> {
  /** Notes how a change that was just made is taken back. */
  readonly note: (back: () => void) => void;
  /** Throws when the tables are closed. */
  readonly check: () => void;
  readonly close: () => void;
}

function createUndo(): Undo {
  let open: (() => void)[] | undefined;
  let closed = false;
  const check = (): void => {
    if (closed) throw new Error('the store is closed');
  };
  return {
    note: (back) => void open?.push(back),
    check,
    atomically(work) {
      check();
      if (open !== undefined) return work();
      const made: (() => void)[] = [];
      open = made;
      try {
        return work();
      } catch (error) {
        for (const back of made.toReversed()) back();
        throw error;
      } finally {
        open = undefined;
      }
    },
    close() {
      closed = true;
    },
  };
}

/** A row's place in its table, which stays when the row changes. */
interface Place {
  row: Row;
}

function createMemoryTable({ keys, by }: Shape, undo: Undo): Table {
  const groups = [[], ...by, keys].map((columns) => createGroups(keys, columns));
  const last = keys.at(-1) ?? '';
  const add = (places: readonly Place[]): void => groups.forEach((group) => group.add(places));
  const drop = (places: readonly Place[]): void => groups.forEach((group) => group.drop(places));
  /** The places in the order of their keys. */
  const find = (where: Where): readonly Place[] => {
    undo.check();
    const group = groups.findLast(({ columns }) => columns.every((column) => column in where));
    const rest = Object.entries(where).filter(([column]) => group?.columns.includes(column) !== true);
    const places = group?.of(where) ?? [];
    return rest.length === 0
      ? places
      : places.filter(({ row }) => rest.every(([column, value]) => row[column] === value));
  };
  const put = (place: Place, row: Row): void => {
    const before = place.row;
    place.row = row;
    undo.note(() => {
      place.row = before;
    });
  };
  return {
    insert(row, orElse = 'throw') {
      const [there] = find(keysOf(row, keys));
      if (there === undefined) {
        const places = [{ row }];
        add(places);
        undo.note(() => drop(places));
        return true;
      }
      if (orElse === 'throw') throw new Error(`there is a row with these keys: ${textOf(row, keys)}`);
      if (orElse === 'replace') put(there, row);
      return orElse === 'replace';
    },
    get: (where) => find(where)[0]?.row,
    select: (where, part) => partOf(find(where), last, part).map(({ row }) => row),
    update(where, change) {
      const places = find(where);
      for (const place of places) put(place, { ...place.row, ...change });
      return places.length;
    },
    remove(where, below = Infinity) {
      const places = find(where).filter(({ row }) => below === Infinity || Number(row[last]) < below);
      drop(places);
      undo.note(() => add(places));
      return places.length;
    },
  };
}

function partOf(places: readonly Place[], last: string, { above, backwards, limit }: Part = {}): readonly Place[] {
  const start = above === undefined ? 0 : places.findLastIndex(({ row }) => Number(row[last]) <= above) + 1;
  return backwards === true
    ? places.slice(limit === undefined ? start : Math.max(start, places.length - limit)).toReversed()
    : places.slice(start, limit === undefined ? undefined : start + limit);
}

/** The places of a table by what their rows have in some columns, each group in the order of the keys. */
interface Groups {
  readonly columns: readonly string[];
  of(where: Where): readonly Place[];
  add(places: readonly Place[]): void;
  drop(places: readonly Place[]): void;
}

interface Group {
  places: Place[];
  sorted: boolean;
}

function createGroups(keys: readonly string[], columns: readonly string[]): Groups {
  const groups = new Map<string, Group>();
  return {
    columns,
    of(where) {
      const group = groups.get(textOf(where, columns));
      if (group?.sorted === false) {
        group.places.sort((a, b) => compare(a.row, b.row, keys));
        group.sorted = true;
      }
      return group?.places ?? [];
    },
    add(places) {
      for (const place of places) {
        const name = textOf(place.row, columns);
        const group = groups.get(name) ?? { places: [], sorted: true };
        const before = group.places.at(-1);
        group.sorted &&= before === undefined || compare(before.row, place.row, keys) < 0;
        group.places.push(place);
        groups.set(name, group);
      }
    },
    drop(dropped) {
      const gone = new Set(dropped);
      for (const name of new Set(dropped.map(({ row }) => textOf(row, columns)))) {
        const group = groups.get(name);
        if (group !== undefined) group.places = group.places.filter((place) => !gone.has(place));
      }
    },
  };
}

function keysOf(row: Row, keys: readonly string[]): Where {
  return Object.fromEntries(keys.map((key) => [key, row[key] ?? '']));
}

function textOf(row: Row, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => row[column]));
}

function compare(a: Row, b: Row, keys: readonly string[]): number {
  const key = keys.find((column) => a[column] !== b[column]);
  if (key === undefined) return 0;
  const [left, right] = [a[key] ?? '', b[key] ?? ''];
  return left < right ? -1 : 1;
}
