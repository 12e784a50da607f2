import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { packageFile } from '../src/contract/package-root.ts';
import { withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';

function fixture(name: string): string {
  return packageFile('fixtures', 'event-logs', `remember-${name}.ndjson`);
}

function logs(at: (name: string) => string): void {
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    cpSync(fixture('source'), at(`${id}.source.ndjson`));
    cpSync(fixture(id === 'c' ? 'regenerated' : 'replay'), at(`${id}.replay.ndjson`));
  }
}

function linesIn(text: string): readonly { readonly id: string; readonly verdict: string }[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; verdict: string });
}

describe('audit', () => {
  it('compares recorded pairs, a line each, and says how many diverged', async () => {
    await withTemporaryDirectory(async (directory) => {
      logs((name) => join(directory, name));
      const { exitCode, stdout, stderr } = await runMain(['audit', '--pairs', directory]);
      expect(exitCode).toBe(1);
      expect(linesIn(stdout).map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
        'a same',
        'b same',
        'c diverged',
        'd same',
        'e same',
      ]);
      expect(stderr).toBe(
        '5 runs: 4 the same, 1 diverged, 0 undecided\n  by class: regenerated-fact 1\n  by workflow: remember 1\n  by node: keep 1\n',
      );
    });
  });

  it('is sharded, sampled and gone on with after an interruption', async () => {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      const pairs = at('pairs.ndjson');
      const folder = packageFile('fixtures', 'event-logs');
      const ids = Array.from({ length: 12 }, (_, index) => `p${index}`);
      const line = (id: string): string =>
        JSON.stringify({
          id,
          source: join(folder, 'remember-source.ndjson'),
          replay: join(folder, 'remember-replay.ndjson'),
        });
      writeFileSync(pairs, `${ids.map(line).join('\n')}\n`);
      const audited = async (...more: readonly string[]) => runMain(['audit', '--pairs', pairs, ...more]);
      const shards = [];
      for (const part of ['1/2', '2/2']) shards.push(...linesIn((await audited('--shard', part)).stdout));
      expect(shards.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      expect(linesIn((await audited('--sample', '4', '--seed', '9')).stdout)).toHaveLength(4);
      const output = at('lines.ndjson');
      await audited('--output', output);
      const whole = readFileSync(output, 'utf8');
      writeFileSync(output, whole.slice(0, Math.floor(whole.length / 2)));
      const again = await audited('--resume', output);
      expect([again.exitCode, again.stdout]).toEqual([0, '']);
      expect(again.stderr).toContain('12 runs: 12 the same');
      expect(readFileSync(output, 'utf8')).toBe(whole);
    });
  });

  it('replays runs of a host, and names what each came to', async () => {
    const { apiKey, credentials } = defaultCredentials();
    const parts = MUTANTS.find(({ id }) => id === 'tool-variable-forgotten')?.parts(defaultParts) ?? {};
    const hosts = [{}, parts].map((each) => createReferenceHost({ credentials, enableTestSeams: true, parts: each }));
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      writeFileSync(at('key'), apiKey);
      for (const host of hosts) {
        const server = await listen(host);
        const post = (path: string, body: object) =>
          fetch(server.baseUrl + path, {
            method: 'POST',
            headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
        const runs: string[] = [];
        for (const workflowId of ['conformance-noop', 'conformance-multi-node']) {
          runs.push(((await (await post('/v1/runs', { workflowId, inputs: {} })).json()) as { runId: string }).runId);
        }
        writeFileSync(at('runs'), `${runs.join('\n')}\nrun_nowhere\n`);
        const args = ['--base-url', server.baseUrl, '--api-key-file', at('key'), '--timeout', '2000'];
        const { exitCode, stdout } = await runMain(['audit', '--runs', at('runs'), ...args]);
        expect(linesIn(stdout).map(({ id, verdict }) => [id, verdict])).toEqual([
          [runs[0], 'same'],
          [runs[1], 'same'],
          ['run_nowhere', 'undecided'],
        ]);
        expect(exitCode).toBe(3);
        expect(stdout).not.toContain(apiKey);
        await server.close();
      }
    });
    for (const host of hosts) await host.close();
  });

  it.each([
    [[], 'give one of --pairs (recorded logs) and --runs (with --base-url)'],
    [['--pairs', '/nowhere'], '--pairs: ENOENT'],
    [['--pairs', '.', '--shard', '4/3'], '--shard takes i/n'],
    [['--pairs', '.', '--output', 'a', '--resume', 'b'], '--resume goes on with the file that it names'],
    [['--runs', 'package.json'], '--base-url is missing'],
  ])('refuses %j in one line, with 2', async (args, message) => {
    const { exitCode, stderr } = await runMain(['audit', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
