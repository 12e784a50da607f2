import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withTemporaryDirectory } from '../../test/cli.ts';
import { GREEN, MIXED } from '../../test/sample-reports.ts';
import { UsageError } from '../contract/usage-error.ts';
import { allNames, readBaselineFile } from './baseline-file.ts';
import { withLastFailed } from './last-failed.ts';
import type { ScenarioFlags } from './options.ts';
import { readResult } from './read-result.ts';

const EMPTY = '{"baselineVersion":1,"known":[],"decided":[]}';

async function withFile(content: string, work: (path: string) => unknown): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const path = join(directory, 'file');
    writeFileSync(path, content);
    await work(path);
  });
}

describe("a baseline's file", () => {
  it('is read, its names among those of all checks', async () => {
    await withFile(EMPTY, (path) => {
      expect(readBaselineFile(path, allNames())).toEqual({ baselineVersion: 1, known: [], decided: [] });
    });
    expect(allNames().checks).toContain('discovery.reachable');
  });

  it.each<[name: string, content: string, says: string]>([
    ['larger than any', `${EMPTY}${' '.repeat(5_000_000)}`, 'is larger than 4194304 bytes'],
    ['no JSON', 'known: []', 'holds no JSON'],
    ['of unknown checks', '{"baselineVersion":1,"known":[],"decided":["discovery.reachble"]}', 'discovery.reachable?'],
  ])('is refused where it is %s', async (_, content, says) => {
    await withFile(content, (path) => {
      expect(() => readBaselineFile(path, allNames())).toThrow(UsageError);
      expect(() => readBaselineFile(path, allNames())).toThrow(says);
    });
  });
});

describe('the result of an earlier run', () => {
  it.each([0, 2])('is read from a JSON report that is indented by %s', async (indent) => {
    await withFile(JSON.stringify(MIXED, null, indent), async (path) => {
      expect((await readResult(path)).checks).toHaveLength(MIXED.checks.length);
    });
  });

  it.each<[name: string, content: string, says: string]>([
    ['nothing', '', 'neither evidence nor a JSON report: '],
    ['another document', '{}', '/reportVersion is missing'],
    ['a report with a check of its own form', JSON.stringify({ ...MIXED, checks: [{}] }), '/checks/0/'],
    [
      'a report of another verdict than its checks',
      JSON.stringify({ ...MIXED, verdict: 'conformant' }),
      'the report contradicts itself: its verdict is conformant',
    ],
    [
      'a report with other counts',
      JSON.stringify({ ...MIXED, counts: { ...MIXED.counts, fail: 0 } }),
      'its counts are not those of its checks',
    ],
    [
      'a report with a check twice',
      JSON.stringify({ ...MIXED, checks: [...MIXED.checks, MIXED.checks[0]] }),
      `it has ${MIXED.checks[0]?.id} twice`,
    ],
    ['evidence with a damaged line', '{"kind":"run"}\n', ':1: '],
  ])('is not %s', async (_, content, says) => {
    await withFile(content, async (path) => {
      await expect(readResult(path)).rejects.toThrow(says);
      await expect(readResult(path)).rejects.toThrow(UsageError);
    });
  });

  it('says which scenarios to run again: those that failed and those of errors', async () => {
    await withFile(JSON.stringify(MIXED), async (path) => {
      const flags = await withLastFailed({ lastFailed: path } as ScenarioFlags);
      expect(flags.scenario).toEqual(['cache-key.lowercase-hex.scenario', 'cache-key.deterministic.scenario']);
    });
    await withFile(JSON.stringify(GREEN), async (path) => {
      await expect(withLastFailed({ lastFailed: path } as ScenarioFlags)).rejects.toThrow('nothing failed there');
    });
  });
});
