import { createHash } from 'node:crypto';

/** Hands rows on in the order of these ids, each as soon as those before it are there. */
export function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  handOn: (row: Row) => void,
): (row: Row) => void {
  const early = new Map<string, Row>();
  let given = 0;
  return (row) => {
    early.set(row.id, row);
    for (let next = early.get(ids[given] ?? ''); next !== undefined; next = early.get(ids[given] ?? '')) {
      given += 1;
      handOn(next);
    }
  };
}

/** One seed for all runs, so that the same sample is met until somebody adds to what it is of. */
export const SEED = 20260401;

/** In an order that the seed and the items' names decide, and nothing else: the first ones are a sample. */
export function shuffled<T>(items: readonly T[], name: (item: T) => string, seed: number = SEED): readonly T[] {
  const rank = (item: T): string =>
    createHash('sha256')
      .update(`${seed} ${name(item)}`)
      .digest('hex');
  const ranked = items.map((item) => ({ item, rank: rank(item) }));
  return ranked.toSorted((one, two) => (one.rank < two.rank ? -1 : 1)).map(({ item }) => item);
}
