import { readdirSync, statSync } from 'node:fs';
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

/** What stands under one name. */
interface Found {
  readonly source: string[];
  readonly replay: string[];
  /** Links to folders, which are not followed. */
  readonly links: string[];
}

/**
 * The pairs in a folder and the folders in it, in the order of their names: `NAME.source.ndjson` beside `NAME.replay.ndjson`, or a folder `NAME` that holds
 * `source.ndjson` and `replay.ndjson`; each `.json` or `.ndjson`, and `.gz` or `.zst`. A name behind which there is not one log for each side says so.
 */
export function pairsInFolder(folder: string): readonly RecordedPair[] {
  const found = new Map<string, Found>();
  collect(folder, [], found);
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, each]) => pairOf(folder, id, each));
}

function collect(folder: string, above: readonly string[], found: Map<string, Found>): void {
  const under = (names: readonly string[]): Found => {
    const id = names.length === 0 ? '.' : names.join('/');
    const known = found.get(id) ?? { source: [], replay: [], links: [] };
    found.set(id, known);
    return known;
  };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const { name, side } = LOG.exec(entry.name)?.groups ?? {};
    if (side !== undefined) {
      under(name === undefined ? above : [...above, name])[side === 'source' ? 'source' : 'replay'].push(path);
    }
    const own = [...above, entry.name];
    if (entry.isDirectory()) collect(path, own, found);
    else if (side === undefined && entry.isSymbolicLink() && isFolder(path)) under(own).links.push(path);
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

function pairOf(folder: string, id: string, { source: sources, replay: replays, links }: Found): RecordedPair {
  const [source, replay] = [sources[0], replays[0]];
  const logs = [...sources, ...replays];
  const wrong = (problem: string): RecordedPair => ({ id, problem, logs });
  const [linked] = links;
  if (linked !== undefined) return wrong(`${relative(folder, linked)} is a link to a folder, which is not followed`);
  if (source === undefined) return wrong('there is a replay and no source');
  if (replay === undefined) return wrong('there is a source and no replay');
  const named = (paths: readonly string[]): string => paths.map((path) => relative(folder, path)).join(', ');
  if (sources.length > 1) return wrong(`there is more than one source: ${named(sources)}`);
  return replays.length > 1 ? wrong(`there is more than one replay: ${named(replays)}`) : { id, source, replay };
}

/** A pair that a line of a file lists, a JSON object `{id, source, replay}`, paths from the file's own folder. Throws an Error that names the line. */
export function pairIn(
  { text, number }: { readonly text: string; readonly number: number },
  file: string,
): RecordedPair {
  const wrong = (problem: string): Error => new Error(`${file}:${number}: ${problem}`);
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
