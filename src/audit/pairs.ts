import { type Dirent, opendirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A source's log and a replay's, as files; or what stands under a name in a folder and is no such pair. */
export type RecordedPair =
  | { readonly id: string; readonly source: string; readonly replay: string }
  | { readonly id: string; readonly problem: string; readonly logs: readonly string[] };

/** The files that a pair names. */
export function logsOf(pair: RecordedPair): readonly string[] {
  return 'problem' in pair ? pair.logs : [pair.source, pair.replay];
}

const LOG = /^(?:(?<name>.+)\.)?(?<side>source|replay)\.(?:ndjson|json)(?:\.(?:gz|zst))?$/su;

/**
 * The logs of each pair, by the pair's name: the rest of each path behind that name. Links to folders are not followed and have no rest. Pairs with equal
 * rests share one list, so that many pairs take little more memory than their names.
 */
type Found = Map<string, readonly string[]>;

/**
 * The pairs in a folder and the folders in it, in the order of their names: `NAME.source.ndjson` beside `NAME.replay.ndjson`, or a folder `NAME` that holds
 * `source.ndjson` and `replay.ndjson`; each `.json` or `.ndjson`, and `.gz` or `.zst`. A name without exactly one log for each side is a pair with a problem.
 */
export function pairsInFolder(folder: string): Iterable<RecordedPair> {
  const found: Found = new Map();
  const lists = new Map<string, readonly string[]>();
  collect(folder, [], (id, rest) => {
    const list = [...(found.get(id) ?? []), rest].toSorted();
    const key = list.join(' ');
    const shared = lists.get(key) ?? list;
    lists.set(key, shared);
    found.set(id, shared);
  });
  const ids = [...found.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  return {
    *[Symbol.iterator]() {
      for (const id of ids) yield pairOf(folder, id, found.get(id) ?? []);
    },
  };
}

function collect(folder: string, above: readonly string[], take: (id: string, rest: string) => void): void {
  const folders: string[] = [];
  for (const entry of entriesIn(folder)) {
    const { name, side } = LOG.exec(entry.name)?.groups ?? {};
    if (side !== undefined) {
      if (name === undefined) take(above.length === 0 ? '.' : above.join('/'), `/${entry.name}`);
      else take([...above, name].join('/'), entry.name.slice(name.length));
    }
    if (entry.isDirectory()) folders.push(entry.name);
    else if (side === undefined && entry.isSymbolicLink() && isFolder(join(folder, entry.name))) {
      take([...above, entry.name].join('/'), '');
    }
  }
  for (const name of folders) collect(join(folder, name), [...above, name], take);
}

const ENTRIES_AT_ONCE = 1024;

/** What a folder holds, in no order, read bit by bit: all at once takes more memory than the names that are kept of it. */
function* entriesIn(folder: string): Generator<Dirent> {
  const open = opendirSync(folder, { bufferSize: ENTRIES_AT_ONCE });
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) yield entry;
  } finally {
    open.closeSync();
  }
}

/** A link may lead nowhere. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function pairOf(folder: string, id: string, found: readonly string[]): RecordedPair {
  const side = (name: string): readonly string[] =>
    found.filter((rest) => rest.slice(1).startsWith(name)).map((rest) => join(folder, `${id}${rest}`));
  const [sources, replays] = [side('source.'), side('replay.')];
  const [source, replay] = [sources[0], replays[0]];
  const logs = [...sources, ...replays];
  const wrong = (problem: string): RecordedPair => ({ id, problem, logs });
  if (found.includes('')) {
    return wrong(`${relative(folder, join(folder, id))} is a link to a folder, which is not followed`);
  }
  if (source === undefined) return wrong('there is a replay and no source');
  if (replay === undefined) return wrong('there is a source and no replay');
  const named = (paths: readonly string[]): string => paths.map((path) => relative(folder, path)).join(', ');
  if (sources.length > 1) return wrong(`there is more than one source: ${named(sources)}`);
  return replays.length > 1 ? wrong(`there is more than one replay: ${named(replays)}`) : { id, source, replay };
}

/** A pair that a line of a file lists, a JSON object `{id, source, replay}`, paths from the file's own folder. What is wrong with it is thrown as `wrong` says it. */
export function pairIn(text: string, file: string, wrong: (problem: string) => Error): RecordedPair {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('no JSON');
  }
  const of = (name: string): string => {
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    if (typeof found !== 'string' || found === '') throw wrong(`${name} is no text`);
    return found;
  };
  const place = (name: string): string => resolve(dirname(file), of(name));
  return { id: of('id'), source: place('source'), replay: place('replay') };
}
