import { describe, expect, it } from 'vitest';
import { discovery } from '../../scenarios/discovery/index.ts';
import { COMPOSITIONS } from './compositions.ts';
import { bisect } from './compose.ts';
import { faults } from './judged.ts';
import type { Variant } from './variant.ts';
import { rewritingJson } from './wire.ts';

/** Red where all of these stand together. */
function redFor(...culprits: readonly number[]): (members: readonly number[]) => Promise<boolean> {
  return async (members) => culprits.every((culprit) => members.includes(culprit));
}

describe('bisecting', () => {
  const members = [1, 2, 3, 4, 5, 6, 7];

  it.each(members)('finds %i where it is red by itself', async (culprit) => {
    expect(await bisect(members, redFor(culprit))).toEqual([culprit]);
  });

  it.each([
    [1, 7],
    [2, 3],
    [4, 5],
  ])('finds %i and %i where only both together are red', async (a, b) => {
    expect(await bisect(members, redFor(a, b))).toEqual([a, b]);
  });

  it('names them all where it was an accident', async () => {
    expect(await bisect(members, async () => false)).toEqual(members);
  });
});

describe('a composition with a member that is not allowed', () => {
  const planted: Variant = {
    id: 'discovery-as-list',
    parts: rewritingJson(/^\/\.well-known\//, (body) => [body]),
  };

  it.each([...COMPOSITIONS.first, ...COMPOSITIONS.second].map((row, index) => [index, row] as const))(
    'names it, in row %i',
    async (_, row) => {
      const [culprit, ...lines] = await faults([...row, planted], [discovery]);
      expect(culprit).toBe('because of discovery-as-list');
      expect(lines).toContainEqual(expect.stringMatching(/^discovery\.reachable: fail/));
    },
  );
});
