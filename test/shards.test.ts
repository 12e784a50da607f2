import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import type { Report } from '../src/contract/report.ts';
import { validate } from '../src/contract/validate.ts';
import { verdicts, withTemporaryDirectory } from './cli.ts';
import { withHosts } from './hosts/sound-and-broken.ts';
import { runMain } from './run-main.ts';

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

  it('that are more than there is to do are merged as well, and none of another build is', async () => {
    await withHosts(async ({ at, sound: [, url = ''] }) => {
      const parts = [1, 2, 3].map((index) => at(`part${index}`));
      const asked = ['--scenario', 'discovery.document', '--require', 'discovery'];
      const ended = await Promise.all(
        parts.map((file, index) =>
          runMain([
            '--base-url',
            url,
            '--api-key-file',
            at('key'),
            ...asked,
            '--shard',
            `${index + 1}/3`,
            '--evidence',
            file,
            '--reporter',
            `json=${file}.json`,
            '--reporter',
            `junit=${file}.xml`,
          ]),
        ),
      );
      expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 3, 3]);
      const reports = parts.map((file) => JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Report);
      expect(reports.flatMap((report) => validate('report', report))).toEqual([]);
      expect(reports.map(({ options: { seed } }) => seed)).toEqual([1, 1, 1]);
      expect((await runMain(['merge', ...parts, '--evidence', at('whole')])).exitCode).toBe(0);
      expect((await runMain(['judge', at('whole')])).stdout).toContain('conformant (exit code 0) in discovery');

      const [first = '', second = '', third = ''] = parts;
      const lines = readFileSync(second, 'utf8');
      writeFileSync(second, lines.replace(/"discoverySha256":"[^"]*"/u, '"discoverySha256":"redeployed"'));
      const mixed = await runMain(['merge', first, second, third]);
      expect(mixed).toMatchObject({ exitCode: 2, stdout: '' });
      expect(mixed.stderr).toContain('other builds of the host: ');

      writeFileSync(second, lines.trimEnd().split('\n').slice(0, -1).join('\n'));
      await runMain(['merge', ...parts, '--evidence', at('cut')]);
      const cut = await runMain(['judge', at('cut')]);
      expect(cut.exitCode).toBe(3);
      expect(cut.stdout).toContain('inconclusive, the evidence ends early (exit code 3)');
      expect((await runMain(['baseline', 'init', at('baseline'), at('cut')])).exitCode).toBe(3);
    });
  });
});
