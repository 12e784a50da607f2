import { describe, expect, it } from 'vitest';
import type { EvidenceRecord, Json, RunRecord } from '../evidence/types.ts';
import { createMerger, endOfAll, mergeRuns, type ShardRun } from './merge-runs.ts';

function shard(index: number, of: number, more: Partial<RunRecord> = {}, options: Record<string, Json> = {}): ShardRun {
  const run: RunRecord = {
    kind: 'run',
    evidenceVersion: 1,
    tool: { name: 't', version: '1' },
    target: { baseUrl: 'http://h' },
    options: { seed: 7, witnessUrl: `http://w/${index}`, shard: { index, of }, ...options },
    scenarios: [`s${index}`],
    startedAt: `2026-01-0${4 - index}T00:00:00.000Z`,
    ...more,
  };
  return { file: `${index}.ndjson`, run };
}

const KNOWN = ['s3', 's2', 's1'];

function observed(id: string, scenario: string, more: object = {}): EvidenceRecord {
  const observation = { type: 'run', exchanges: ['x1', 'x2'], ...more };
  return { kind: 'observation', id, scenario, observation };
}

describe('the run lines of shards', () => {
  it('make one, with all scenarios in their order', () => {
    const merged = mergeRuns([shard(2, 3), shard(3, 3), shard(1, 3)], KNOWN);
    expect(merged).toMatchObject({
      ok: true,
      files: ['1.ndjson', '2.ndjson', '3.ndjson'],
      run: { scenarios: KNOWN, startedAt: '2026-01-01T00:00:00.000Z', options: { seed: 7 } },
    });
    expect(merged.ok && merged.run.options).not.toHaveProperty('shard');
  });

  it('make the same one in every order, with what the first shard has of its own', () => {
    const all = [shard(1, 3), shard(2, 3), shard(3, 3)];
    const merged = mergeRuns(all, KNOWN);
    expect(merged).toMatchObject({ ok: true, run: { options: { witnessUrl: 'http://w/1' } } });
    expect(mergeRuns(all.toReversed(), KNOWN)).toEqual(merged);
  });

  it.each<readonly [string, readonly ShardRun[], string]>([
    ['nothing', [], 'there is nothing to merge'],
    ['a gap', [shard(1, 3), shard(3, 3)], 'of 3 shards these are missing: 2'],
    ['a shard twice', [shard(1, 2), { ...shard(1, 2), file: 'again' }], '1.ndjson and again are both shard 1 of 2'],
    ['parts of other wholes', [shard(1, 2), shard(2, 3)], '1.ndjson is one of 2 shards, 2.ndjson one of 3'],
    [
      'a whole run',
      [shard(1, 2), { ...shard(2, 2), run: { ...shard(2, 2).run, options: {} } }],
      '2.ndjson is no shard',
    ],
    [
      'other times',
      [shard(1, 2, {}, { timeout: 1 }), shard(2, 2, {}, { timeout: 2, restartCommand: 'own' })],
      'have another timeout',
    ],
    [
      'other builds of the host',
      [
        { ...shard(1, 2), build: { implementation: 'h 1', discoverySha256: 'a'.repeat(64) } },
        { ...shard(2, 2), build: { implementation: 'h 2', discoverySha256: 'b'.repeat(64) } },
      ],
      'h 1 (discovery document aaaaaaaaaaaa), and h 2 (discovery document bbbbbbbbbbbb)',
    ],
    ['other seeds', [shard(1, 2), shard(2, 2, {}, { seed: 8 })], '1.ndjson and 2.ndjson have another seed'],
    [
      'other tools',
      [shard(1, 2), shard(2, 2, { tool: { name: 't', version: '2' } })],
      'have other versions of the tool',
    ],
    ['other targets', [shard(1, 2), shard(2, 2, { target: { baseUrl: 'http://g' } })], 'have other targets'],
    ['a scenario twice', [shard(1, 2), shard(2, 2, { scenarios: ['s1'] })], 'have both the scenario s1'],
  ])('are refused with %s', (_, all, message) => {
    const merged = mergeRuns(all, KNOWN);
    expect(merged.ok ? '' : merged.message).toContain(message);
  });

  it('are of the self-test whatever its host is called', () => {
    const own = { command: 'self-test' };
    expect(mergeRuns([shard(1, 2, {}, own), shard(2, 2, { target: { baseUrl: 'http://g' } }, own)], KNOWN).ok).toBe(
      true,
    );
  });
});

it('the last line of the whole says what ended a shard early', () => {
  const end = { kind: 'end', durationMs: 2 } as const;
  const written = { exchange: 5, observation: 3 };
  const ends = [{ ...end, stoppedAfter: 1, written }, { ...end, durationMs: 3, interrupted: 'SIGINT' as const }, end];
  const all = { kind: 'end', durationMs: 3, stoppedAfter: 1, interrupted: 'SIGINT' };
  expect(endOfAll(ends, 2)).toEqual(all);
  const counted = { ...all, written: { exchange: 15, observation: 7 } };
  expect(
    endOfAll(
      ends.map((each) => ({ ...each, written })),
      2,
    ),
  ).toEqual(counted);
});

it('a shard that did not reach the host may be of any build', () => {
  const builds = ['a'.repeat(64), null].map((discoverySha256) => ({ implementation: null, discoverySha256 }));
  const shards = builds.map((build, index) => ({ ...shard(index + 1, 2), build }));
  expect(mergeRuns(shards, KNOWN).ok).toBe(true);
});

describe('the records of shards', () => {
  const { run } = shard(1, 2);

  it('get ids of their own, and so does what names them', () => {
    const rename = createMerger();
    const first = [run, observed('o1', 'a'), observed('o2', 'a')];
    for (const record of first) rename(record, true);
    const second = [run, observed('o1', 'b'), observed('o2', 'b')];
    expect(second.map((record) => rename(record, false))).toEqual([
      undefined,
      observed('o3', 'b', { exchanges: ['x3', 'x4'] }),
      observed('o4', 'b', { exchanges: ['x3', 'x4'] }),
    ]);
  });

  it('are there once where the whole has them once', () => {
    const rename = createMerger();
    const target = observed('o1', 'plan', { type: 'target' });
    expect([run, target].map((record) => rename(record, true)?.kind)).toEqual([undefined, 'observation']);
    const others: readonly EvidenceRecord[] = [run, target, { kind: 'end', durationMs: 1 }];
    expect(others.map((record) => rename(record, false))).toEqual([undefined, undefined, undefined]);
    // What is left out leaves no gap in the numbers.
    expect(rename(observed('o2', 's'), false)).toMatchObject({ id: 'o2' });
    const plan = { kind: 'plan', scenario: 's', status: 'applicable', reason: 'r' } as const;
    expect(rename(plan, false)).toBe(plan);
  });
});
