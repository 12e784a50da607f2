import { describe, expect, it } from 'vitest';
import { SUITES } from '../../scenarios/index.ts';
import { shardOf } from './shard.ts';

const ALL = SUITES.flatMap(({ scenarios }) => scenarios);

function shards(of: number) {
  return Array.from({ length: of }, (_, index) => shardOf(ALL, { index: index + 1, of }));
}

describe('the shards of a run', () => {
  it.each([1, 2, 3, 8])('of %i have every scenario once, in its order', (of) => {
    const ids = shards(of).map((part) => part.map(({ id }) => id));
    expect(ids.flat().toSorted()).toEqual(ALL.map(({ id }) => id).toSorted());
    for (const part of ids) expect(part).toEqual(ALL.map(({ id }) => id).filter((id) => part.includes(id)));
    expect(Math.min(...ids.map(({ length }) => length))).toBeGreaterThan(0);
  });

  it('are the same each time, and may run beside each other: none shares a resource with another', () => {
    expect(shards(3)).toEqual(shards(3));
    const resources = shards(3).map((part) => new Set(part.flatMap(({ exclusive }) => exclusive)));
    const shared = resources.flatMap((mine, index) =>
      resources.slice(index + 1).flatMap((other) => [...mine].filter((name) => other.has(name))),
    );
    expect(shared).toEqual([]);
  });

  it('of more parts than there are groups leave some with nothing', () => {
    const one = ALL.slice(0, 1);
    expect(shardOf(one, { index: 1, of: 2 })).toEqual(one);
    expect(shardOf(one, { index: 2, of: 2 })).toEqual([]);
  });
});
