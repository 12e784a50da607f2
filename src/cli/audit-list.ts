import { statSync } from 'node:fs';
import { isInShard, sample } from '../audit/choose.ts';
import type { Shard } from '../runner/shard.ts';
import { pairIn, pairsInFolder, type RecordedPair } from '../audit/pairs.ts';
import { UsageError } from '../contract/usage-error.ts';
import { messageOf } from './files.ts';
import { awaitedLines } from './lines-of.ts';

/** A list that may be read several times; a reading ends where the signal aborts. */
export type List<Item> = (signal: AbortSignal) => AsyncIterable<Item> | Iterable<Item>;

const NEVER = new AbortController().signal;

/** The runs that a file names, each once; what can be read only once is read now where it has to be known before. Throws UsageError. */
export function listOfRuns(path: string, isKnownBefore: boolean): Promise<List<{ readonly id: string }>> {
  const read = (signal: AbortSignal) => runIds(path, signal);
  return isKnownBefore ? readableAgain(path, read) : Promise.resolve(read);
}

/** The pairs in a folder, or those that a file lists. Throws UsageError. */
export async function listOfPairs(path: string): Promise<List<RecordedPair>> {
  try {
    if (!statSync(path).isDirectory()) return await readableAgain(path, (signal) => pairsIn(path, signal));
    const pairs = pairsInFolder(path);
    return () => pairs;
  } catch (error) {
    throw new UsageError(`--pairs: ${messageOf(error)}`, { cause: error });
  }
}

async function readableAgain<Item>(path: string, read: List<Item>): Promise<List<Item>> {
  if (path !== '-' && statSync(path).isFile()) return read;
  const items: Item[] = [];
  for await (const item of read(NEVER)) items.push(item);
  return () => items;
}

const LONGEST_ID = 1024;

/** Run ids, one a line; empty lines count for nothing. */
async function* runIds(path: string, signal: AbortSignal): AsyncGenerator<{ readonly id: string }, void> {
  const known = new Set<string>();
  for await (const { text, number } of awaitedLines(path, signal)) {
    const id = text.trim();
    if (id.length > LONGEST_ID || /\s/u.test(id)) throw new UsageError(`${path}:${number}: no run id`);
    if (!known.has(id)) yield { id };
    known.add(id);
  }
}

async function* pairsIn(path: string, signal: AbortSignal): AsyncGenerator<RecordedPair, void> {
  const known = new Set<string>();
  for await (const { text, number } of awaitedLines(path, signal)) {
    const wrong = (problem: string): UsageError => new UsageError(`${path}:${number}: ${problem}`);
    const pair = pairIn(text, path, wrong);
    if (known.has(pair.id)) throw wrong(`a second pair ${JSON.stringify(pair.id)}`);
    known.add(pair.id);
    yield pair;
  }
}

/** Which part of a list is audited. */
export interface Choice {
  readonly shard?: Shard;
  readonly sample?: number;
  readonly seed?: number;
}

/** The seed where none is given. */
export const DEFAULT_SEED = 1;

/** The items of a list that are audited; `onListed` is told of each that the shard was taken from. */
export async function* chosen<Item extends { readonly id: string }>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { shard, sample: most, seed = DEFAULT_SEED }: Choice,
  onListed?: () => void,
): AsyncGenerator<Item, void> {
  const all = most === undefined ? items : await sample(items, { most, seed });
  for await (const item of all) {
    onListed?.();
    if (shard === undefined || isInShard(item.id, shard)) yield item;
  }
}
