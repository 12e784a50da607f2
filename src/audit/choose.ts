import { createHash } from 'node:crypto';

/** Whether a run belongs to a shard, the i-th of n from 1: by a digest of its id, so that shards agree without knowing each other. */
export function isInShard(id: string, shard: { readonly index: number; readonly of: number }): boolean {
  return digest(`shard:${id}`) % BigInt(shard.of) === BigInt(shard.index - 1);
}

/** Chooses `most` runs: those whose digests under the seed are the least. The same seed chooses the same, in whatever order they come. */
export async function sample<Item extends { readonly id: string }>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { most, seed }: { readonly most: number; readonly seed: number },
): Promise<readonly Item[]> {
  let kept: { readonly item: Item; readonly rank: bigint }[] = [];
  const rankOf = ({ id }: Item): bigint => digest(`${seed}:${id}`);
  const cut = (): void => {
    kept = kept.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, most);
  };
  for await (const item of items) {
    kept.push({ item, rank: rankOf(item) });
    if (kept.length >= 2 * most + SLACK) cut();
  }
  cut();
  return kept.map(({ item }) => item).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Sorting is worth while for so many. */
const SLACK = 1000;

function digest(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigUInt64BE();
}
