import { describe, expect, it } from 'vitest';
import type { Cut } from '../../src/host/crash.ts';
import { runCalled } from '../../test/recorded-runs.ts';
import { MOST_TRIALS, searchBetween, tryEach } from './reclaim.ts';
import type { ReclaimObservation } from './reclaim-judges.ts';

/** Where the host may die in a run of two tools: in the order of the run, with how far the two calls are. */
type Place = 'before' | 'first in doubt' | 'between' | 'second in doubt' | 'after' | 'alive';

function call(name: string) {
  return { kind: 'effect', name, idempotencyKey: null, answer: {} };
}

function recordedAt(place: Place, { name, hit }: Cut): ReclaimObservation {
  const [first, second] = [call('first'), call('second')];
  const then = { before: [], after: [first, second], alive: [first, second] } as const;
  const finished = runCalled('r', [['tool_invocation_finished', { outcome: 'success' }, 'first']]).events;
  return {
    type: 'reclaim',
    cut: `${name}@${hit}`,
    by: 'trial',
    runId: 'r',
    problem: null,
    died: place !== 'alive',
    before: [],
    callsAtDeath: place === 'before' || place === 'after' || place === 'alive' ? then[place] : [first],
    events: place === 'before' || place === 'first in doubt' ? [] : finished,
    snapshot: null,
    calls: place === 'between' || place === 'after' ? [first, second] : [first],
    exchanges: [],
  };
}

/** Searches a run that passes these failpoints at these places; gives the cuts that were tried. */
async function tried(passes: readonly (readonly [name: string, place: Place])[]): Promise<readonly string[]> {
  const seen = await searchBetween(
    passes.map(([name]) => name),
    async (cut) => {
      const at = passes.filter(([name]) => name === cut.name)[cut.hit - 1];
      return recordedAt(at?.[1] ?? 'alive', cut);
    },
  );
  return seen.map(({ cut }) => cut);
}

/** So many passes at one place, each of a failpoint of its own. */
function many(place: Place, count: number): readonly (readonly [string, Place])[] {
  return Array.from({ length: count }, (_, index) => [`${place}-${index}`, place]);
}

describe('searchBetween', () => {
  it('begins where a failpoint is passed for the second and last time', async () => {
    const twice = [
      ...many('before', 3),
      ['p1', 'before'],
      ['p2', 'first in doubt'],
      ['p3', 'between'],
      ['p1', 'between'],
      ['p2', 'second in doubt'],
    ] as const;
    expect(await tried(twice)).toEqual(['p1@2']);
  });

  it('goes on from what every trial shows, until a death lies between the calls', async () => {
    const passes = [
      ...many('before', 9),
      ...many('first in doubt', 4),
      ...many('between', 1),
      ...many('second in doubt', 7),
      ...many('after', 20),
    ];
    const cuts = await tried(passes);
    expect(cuts.at(-1)).toBe('between-0@1');
    expect(cuts.length).toBeLessThanOrEqual(MOST_TRIALS);
  });

  it('gives up where there is no such place, and after so many trials', async () => {
    expect(await tried([...many('before', 2), ...many('after', 2)])).toEqual(['before-1@1', 'after-0@1']);
    expect(await tried([...many('before', 300), ...many('alive', 300)])).toHaveLength(MOST_TRIALS);
    expect(await tried([])).toEqual([]);
    expect(await searchBetween(['p1', 'p2'], async () => undefined)).toEqual([]);
  });
});

describe('tryEach', () => {
  it('ends with the first death between the calls, or where the scenario is stopped', async () => {
    const cuts = ['p1', 'p2', 'p3'].map((name) => ({ name, hit: 2 }));
    const places: Readonly<Record<string, Place>> = { p1: 'before', p2: 'between' };
    const seen = await tryEach(cuts, async (cut) => recordedAt(places[cut.name] ?? 'alive', cut));
    expect(seen.map(({ cut }) => cut)).toEqual(['p1@2', 'p2@2']);
    expect(await tryEach(cuts, async () => undefined)).toEqual([]);
  });
});
