import { describe, expect, it } from 'vitest';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { SUITES } from '../../scenarios/index.ts';
import type { LaneJob } from './jobs.ts';
import { type KillLanes, killOn, type MutantRow } from './matrix.ts';
import { shuffled } from './order.ts';

const scenarios = SUITES.flatMap((suite) => suite.scenarios);
const ALL = scenarios.map(({ id }) => id);
const NAMED = 'fork.full-replay';
const FORKS: Mutant = {
  id: 'no-forks',
  breaks: 'forks',
  kills: ['fork.created'],
  alsoBreaks: { 'fork.source-untouched': 'there is no fork' },
  parts: () => ({}),
};

const NAMING = scenarios
  .filter(({ checks }) => checks.some(({ id }) => id === 'fork.created' || id === 'fork.source-untouched'))
  .map(({ id }) => id);

/** Runs one mutant; `red` says what turns red in the scenarios that it meets. */
async function met(
  others: number | undefined,
  red: (met: readonly string[]) => readonly string[],
  mutant: Mutant = FORKS,
): Promise<{ readonly jobs: readonly (readonly string[])[]; readonly rows: readonly MutantRow[] }> {
  const jobs: (readonly string[])[] = [];
  const lanes: KillLanes = {
    run: async (given: readonly LaneJob[], { onAnswer }) => {
      for (const job of given) {
        jobs.push(job.scenarios);
        onAnswer(red(job.scenarios), job);
      }
    },
    close: async () => undefined,
  };
  const reaching = new Map(ALL.map((id) => [id, new Set([FORKS.id])]));
  const run = { suites: SUITES, mutants: [mutant], ...(others !== undefined && { others }) };
  const rows = await killOn(lanes, run, {
    watch: async () => reaching,
    onRow: () => undefined,
    onRun: () => undefined,
  });
  return { jobs, rows };
}

describe('a mutant', () => {
  it('meets all that it reaches, or what names it and a sample of the rest', async () => {
    const whole = await met(undefined, () => ['fork.created']);
    expect(whole.jobs.map((job) => job.toSorted())).toEqual([ALL.toSorted()]);
    const { jobs, rows } = await met(5, () => ['fork.created']);
    const [first = []] = jobs;
    expect(jobs).toHaveLength(1);
    expect(first).toHaveLength(NAMING.length + 5);
    expect(first).toEqual(expect.arrayContaining([NAMED, ...NAMING]));
    expect(rows.map(({ killedBy, stray }) => ({ killedBy, stray }))).toEqual([
      { killedBy: ['fork.created'], stray: [] },
    ]);
  });

  it('meets the scenario whose runs show it', async () => {
    const { jobs } = await met(0, () => ['fork.created'], { ...FORKS, seenIn: 'fork.own-ids' });
    expect(jobs).toEqual([expect.arrayContaining([...NAMING, 'fork.own-ids'])]);
    expect(jobs[0]).toHaveLength(NAMING.length + 1);
  });

  it('meets the rest too where a sample of it shows something wrong: what that rests on may stand there', async () => {
    const stray = await met(0, (scenario) =>
      scenario.length === ALL.length ? ['fork.created'] : ['fork.created', 'run.created'],
    );
    expect(stray.jobs.map(({ length }) => length)).toEqual([NAMING.length, NAMING.length + 3, ALL.length]);
    expect(stray.rows.map((row) => row.stray)).toEqual([[]]);
    const survivor = await met(0, (scenario) => (scenario.length === ALL.length ? ['fork.created'] : []));
    expect(survivor.rows.map(({ killedBy }) => killedBy)).toEqual([['fork.created']]);
    const red = await met(0, () => ['fork.created', 'run.created']);
    expect(red.rows.map((row) => row.stray)).toEqual([['run.created']]);
  });
});

describe('a sample', () => {
  it('is decided by names and a seed alone', () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(inOrderOf(items, 1)).toEqual(inOrderOf(items.toReversed(), 1));
    expect(inOrderOf(items, 1).toSorted()).toEqual(items);
    expect(new Set([1, 2, 3, 4].map((seed) => inOrderOf(items, seed).join(' '))).size).toBeGreaterThan(1);
  });
});

function inOrderOf(items: readonly string[], seed: number): readonly string[] {
  return shuffled(items, (item) => item, seed);
}
