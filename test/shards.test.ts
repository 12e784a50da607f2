import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import type { Report } from '../src/contract/report.ts';
import { withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';

/** What a report says of each check, whatever its runs are called. */
function verdicts({ checks }: Report) {
  return checks.map(({ id, verdict, restsOn, diagnosis }) => ({ id, verdict, restsOn, diagnosis: diagnosis?.code }));
}

describe('shards', () => {
  it('that are merged give the report of one run, and none of them is taken for it', async () => {
    const { apiKey, credentials } = defaultCredentials();
    const defect = MUTANTS.find(({ id }) => id === 'replay-ends-twice')?.parts(defaultParts) ?? {};
    const host = createReferenceHost({ credentials, enableTestSeams: true, parts: defect });
    const server = await listen(host);
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      writeFileSync(at('key'), apiKey);
      const suites = ['discovery', 'run-lifecycle', 'fork-contract', 'observable-sequence'].flatMap((id) => [
        '--suite',
        id,
      ]);
      const common = [
        '--base-url',
        server.baseUrl,
        '--api-key-file',
        at('key'),
        '--seed',
        '7',
        '--forks',
        '3',
        ...suites,
      ];
      const record = async (name: string, ...more: readonly string[]) =>
        runMain([...common, '--evidence', at(name), '--reporter', 'terminal', ...more]);
      const judged = async (name: string): Promise<Report> =>
        JSON.parse((await runMain(['judge', at(name), '--reporter', 'json'])).stdout) as Report;
      await record('whole');
      for (const index of [1, 2, 3]) {
        const { stdout } = await record(`part${index}`, '--shard', `${index}/3`);
        expect(stdout).toContain(`shard ${index} of 3 (merge says what the whole run is)`);
      }
      const parts = [3, 1, 2].map((index) => at(`part${index}`));
      const merged = await runMain(['merge', ...parts, '--evidence', at('merged')]);
      expect([merged.exitCode, merged.stderr]).toEqual([0, '']);
      const [whole, again] = [await judged('whole'), await judged('merged')];
      expect(whole.counts.fail).toBeGreaterThan(0);
      expect(verdicts(again)).toEqual(verdicts(whole));
      expect([again.verdict, again.exitCode]).toEqual([whole.verdict, whole.exitCode]);
      const gap = await runMain(['merge', ...parts.slice(1)]);
      expect([gap.exitCode, gap.stderr]).toEqual([2, 'openwop-conformance: of 3 shards these are missing: 3\n']);
    });
    await server.close();
    await host.close();
  });
});
