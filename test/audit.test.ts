import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { packageFile } from '../src/contract/package-root.ts';
import { startCli, withTemporaryDirectory } from './cli.ts';
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
    .slice(1)
    .map((line) => JSON.parse(line) as { id: string; verdict: string });
}

/** A new run of a host, by its id. */
async function startedAt(baseUrl: string, apiKey: string, workflowId: string): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workflowId, inputs: {} }),
  });
  return ((await response.json()) as { runId: string }).runId;
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

  it('shows no credential that stands in recorded logs', async () => {
    const secret = 'the-credential-of-1-run';
    vi.stubEnv('OPENWOP_API_KEY', secret);
    await withTemporaryDirectory(async (directory) => {
      for (const name of ['source', 'regenerated']) {
        const text = readFileSync(fixture(name), 'utf8').replaceAll('"keep"', `"keep-${secret}"`);
        writeFileSync(join(directory, `a.${name === 'source' ? name : 'replay'}.ndjson`), text);
      }
      const { stdout, stderr } = await runMain(['audit', '--pairs', directory]);
      expect(stdout).toContain('"nodeId":"keep-[redacted]"');
      expect(stdout + stderr).not.toContain(secret);
    });
    vi.unstubAllEnvs();
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
        const runs: string[] = [];
        for (const workflowId of ['conformance-noop', 'conformance-multi-node']) {
          runs.push(await startedAt(server.baseUrl, apiKey, workflowId));
        }
        writeFileSync(at('runs'), `${runs.join('\n')}\n${runs.join('\n')}\nrun_nowhere\n`);
        const args = ['--base-url', server.baseUrl, '--api-key-file', at('key'), '--timeout', '60000'];
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

  it('forks no further run where nobody reads its lines any more', async () => {
    const { apiKey, credentials } = defaultCredentials();
    const host = createReferenceHost({ credentials, enableTestSeams: false });
    const reader = new AbortController();
    const isUnread = once(reader.signal, 'abort');
    let forks = 0;
    const slow = {
      ...host,
      fetch: async (request: Request) => {
        if (new URL(request.url).pathname.endsWith(':fork')) forks += 1;
        if (forks > 2) await isUnread;
        return host.fetch(request);
      },
    };
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      const server = await listen(slow);
      const runs = await Promise.all(
        Array.from({ length: 60 }, async () => startedAt(server.baseUrl, apiKey, 'conformance-noop')),
      );
      writeFileSync(at('key'), apiKey);
      writeFileSync(at('runs'), `${runs.join('\n')}\n`);
      const args = ['--base-url', server.baseUrl, '--api-key-file', at('key'), '--timeout', '60000'];
      const cut = ['sh', '-c', '"$0" "$@" | { head -n 1; exec <&-; echo closed >&2; }'];
      const run = startCli(['audit', '--runs', at('runs'), ...args], {}, { through: cut });
      await run.said('closed');
      reader.abort();
      await run.ended;
      expect(forks).toBeLessThan(runs.length / 2);
      await server.close();
    });
    await host.close();
  });

  it('goes on with no file that is none of its own, and touches none of them', async () => {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      mkdirSync(at('logs'));
      logs((name) => join(at('logs'), name));
      const audited = (...args: readonly string[]) => runMain(['audit', '--pairs', at('logs'), ...args]);
      const own = at('own');
      await audited('--output', own, '--sample', '9', '--seed', '5', '--volatile', '/payload/x', '--shard', '1/1');
      const text = readFileSync(own, 'utf8');
      const [head = '', first = '', ...rest] = text.split('\n');
      const foreign: readonly (readonly [text: string, message: string])[] = [
        ['my precious notes', 'the last line has no end'],
        ['{"id":"a","name":"b"}', 'the last line has no end'],
        [`${head}\n{"id":"a","name":"b"}\n`, ':2: no line of an audit'],
        [`${first}\n`, ':1: the first line does not say of which audit it is'],
        [`${head}\n${first}\n${first}\n`, ':3: a second line of "a"'],
        [`${head}\n${first.replace('"a"', '"z"')}\n`, 'has a line of "z", which --pairs does not name'],
        [`my notes\n${first}`, ':1: no line of an audit'],
      ];
      const same = ['--sample', '9', '--seed', '5', '--volatile', '/payload/x', '--shard', '1/1'];
      const refused = async (kept: string, args: readonly string[], message: string): Promise<void> => {
        writeFileSync(at('kept'), kept);
        const { exitCode, stdout, stderr } = await audited('--resume', at('kept'), ...args);
        expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
        expect(readFileSync(at('kept'), 'utf8')).toBe(kept);
      };
      for (const [kept, message] of foreign) await refused(kept, same, message);
      for (const [index, message] of [
        [1, '--sample: 9 there, 8 here'],
        [3, '--seed: 5 there, 8 here'],
        [5, '--volatile: ["/payload/x"] there, ["/payload/8"] here'],
        [7, '--shard: "1/1" there, "1/8" here'],
      ] as const) {
        const other = index === 5 ? '/payload/8' : index === 7 ? '1/8' : '8';
        await refused(text, same.with(index, other), `is of another audit: ${message}`);
      }
      const live = head.replace(/"pairs":"[^"]*"/u, '"baseUrl":"http://host"');
      await refused(`${live}\n`, same, '--base-url: "http://host" there, none here');
      // What an interruption has left of the head, of a line, and of nothing.
      for (const torn of [
        '',
        head.slice(0, 5),
        head,
        `${head}\n${first.slice(0, 3)}`,
        `${head}\n${first}\n${rest[0]}`,
      ]) {
        writeFileSync(at('torn'), torn);
        expect((await audited('--resume', at('torn'), ...same)).exitCode).toBe(1);
        expect(readFileSync(at('torn'), 'utf8').split('\n').slice(1)).toEqual([first, ...rest]);
      }
    });
  });

  it('asks again for what could not be reached, under the name that it had', async () => {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      mkdirSync(at('logs'));
      logs((name) => join(at('logs'), name));
      await runMain(['audit', '--pairs', at('logs'), '--output', at('lines')]);
      const [head, ...lines] = readFileSync(at('lines'), 'utf8').trim().split('\n');
      const unreached = '{"id":"a","verdict":"undecided","workflowId":null,"reason":"r","again":true}';
      writeFileSync(at('lines'), `${[head, unreached, ...lines.slice(1)].join('\n')}\n`);
      const { stderr } = await runMain(['audit', '--pairs', at('logs'), '--resume', at('lines')]);
      expect(stderr).toContain('5 runs: 4 the same, 1 diverged, 0 undecided');
      expect(readFileSync(at('lines'), 'utf8').trim().split('\n')).toEqual([head, ...lines.slice(1), lines[0]]);
    });
  });

  it('writes over nothing that it reads, whatever link leads there', async () => {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      mkdirSync(at('logs'));
      logs((name) => join(at('logs'), name));
      const log = join(at('logs'), 'a.source.ndjson');
      symlinkSync(log, at('link'));
      const pair = { id: 'a', source: log, replay: join(at('logs'), 'new.ndjson') };
      writeFileSync(at('pairs'), `${JSON.stringify(pair)}\n`);
      const before = readFileSync(log, 'utf8');
      for (const [pairs, option, path] of [
        [at('logs'), '--output', log],
        [at('logs'), '--html', at('link')],
        [at('logs'), '--resume', log],
        [at('pairs'), '--output', at('link')],
        [at('pairs'), '--output', pair.replay],
        [at('pairs'), '--resume', at('pairs')],
      ] as const) {
        const { exitCode, stderr } = await runMain(['audit', '--pairs', pairs, option, path]);
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${option} would overwrite`)]);
      }
      expect(readFileSync(log, 'utf8')).toBe(before);
    });
  });

  it.each(['pipe', '-'])('ends by a signal while its list %s is not there yet, and says so', async (list) => {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      execFileSync('sh', ['-c', 'mkfifo "$0"', at('pipe')]);
      const runs = list === '-' ? list : at(list);
      const args = ['audit', '--base-url', 'http://127.0.0.1:9', '--runs', runs, '--html', at('page')];
      const run = startCli(args, {}, { holdsInput: true });
      expect(await run.firstLine).toContain(JSON.stringify(runs));
      run.signal('SIGTERM');
      const { exitCode, stderr } = await run.ended;
      expect(exitCode).toBe(143);
      expect(stderr).toContain('0 runs, then interrupted by SIGTERM');
      expect(readFileSync(at('page'), 'utf8')).toContain('Interrupted by SIGTERM');
    });
  });

  it('has nothing to decide in a shard that gets nothing', async () => {
    await withTemporaryDirectory(async (directory) => {
      logs((name) => join(directory, name));
      const { exitCode, stderr } = await runMain(['audit', '--pairs', directory, '--shard', '7/9999']);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('this shard gets none of those that are listed')]);
    });
  });

  it.each([
    [[], 'give one of --pairs (recorded logs) and --runs (with --base-url)'],
    [['--pairs', '/nowhere'], '--pairs: ENOENT'],
    [['--pairs', 'package.json'], 'package.json:1: no JSON'],
    [['--runs', '/nowhere', '--base-url', 'http://h'], 'ENOENT'],
    [['--pairs', '.', '--shard', '4/3'], '--shard takes i/n'],
    [['--pairs', '.', '--output', 'a', '--resume', 'b'], '--resume goes on with the file that it names'],
    [['--runs', 'package.json'], '--base-url is missing'],
    [['--pairs', '.', '--timeout', '5'], '--timeout has no effect with --pairs'],
    [['--pairs', '.', '--base-url', 'http://h'], '--base-url has no effect with --pairs'],
    [['--pairs', '.', '--seed', '5'], '--seed has no effect without --sample'],
    [['--pairs', '.', '--html', '-'], '--html takes a file'],
    [['--pairs', '.', '--resume', '-'], '--resume takes a file'],
  ])('refuses %j in one line, with 2', async (args, message) => {
    const { exitCode, stderr } = await runMain(['audit', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
