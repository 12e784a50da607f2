import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { runCli, runCliWithReport, startCli, withTemporaryDirectory } from './cli.ts';

const WITHOUT = { NODE_OPTIONS: `--require ${packageFile('test', 'without-sqlite.cjs')}` };
const HINT = 'npm install @photostructure/sqlite, or use Node 22.13 or later';

describe('without a SQLite driver', () => {
  it('self-test runs all that needs no data file, and says in one line what it leaves out', async () => {
    const inMemory = ['discovery.document', 'once.tool-call', 'once.external-key'];
    const killing = ['once.every-cut', 'once.reclaim', 'once.stream-wins'];
    const scenarios = [...inMemory, ...killing].flatMap((id) => ['--scenario', id]);
    const { exitCode, stderr, report } = await runCliWithReport(['self-test', ...scenarios, '--seed', '1'], WITHOUT);
    expect(exitCode).toBe(0);
    expect(stderr).toBe(`no host is killed, which takes data files: ${HINT}\n`);
    expect(report.counts.pass).toBeGreaterThan(10);
    const left = report.checks.filter(({ reason }) => reason?.includes('--crash none') === true);
    expect(left.map(({ verdict }) => verdict)).toEqual(left.map(() => 'not-applicable'));
    expect(left.length).toBeGreaterThan(10);
  });

  it('self-test says nothing where nothing is left out', async () => {
    const { exitCode, stderr } = await runCli(['self-test', '--suite', 'discovery'], WITHOUT);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('serve works in memory', async () => {
    const server = startCli(['serve', '--port', '0', '--json'], WITHOUT);
    const { baseUrl, apiKey } = JSON.parse(await server.firstLine) as { baseUrl: string; apiKey: string };
    const made = await fetch(`${baseUrl}/v1/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workflowId: 'conformance-noop' }),
    });
    expect(made.status).toBe(201);
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([[[]], [['--region', 'a']]])('serve --data %j says how to get one, and exits 2', async (more) => {
    await withTemporaryDirectory(async (directory) => {
      const data = join(directory, 'host.db');
      const { exitCode, stdout, stderr } = await runCli(['serve', '--data', data, ...more], WITHOUT);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toBe(`openwop-conformance: cannot use ${data}: no SQLite driver: ${HINT}\n`);
    });
  });

  it('mutants says how to get one where hosts are killed, and exits 2', async () => {
    const { exitCode, stderr } = await runCli(['mutants'], WITHOUT);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`openwop-conformance: the kill matrix kills hosts, which takes data files: ${HINT}\n`);
  });
});
