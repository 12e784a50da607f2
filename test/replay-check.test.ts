import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';

/** A host that answers forks with 200, and what one runs against it. */
async function withBroken(
  work: (at: (name: string) => string, host: readonly string[]) => Promise<void>,
): Promise<void> {
  const { apiKey, credentials } = defaultCredentials();
  const parts = MUTANTS.find(({ id }) => id === 'fork-ok-not-created')?.parts(defaultParts) ?? {};
  const host = createReferenceHost({ credentials, enableTestSeams: true, parts });
  const server = await listen(host);
  try {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      writeFileSync(at('key'), apiKey);
      await work(at, ['--base-url', server.baseUrl, '--api-key-file', at('key')]);
    });
  } finally {
    await server.close();
    await host.close();
  }
}

describe('replay-check', () => {
  it('drives the scenario again and says what was found then and now', async () => {
    await withBroken(async (at, host) => {
      const evidence = at('evidence.ndjson');
      await runMain([...host, '--scenario', 'fork.full-replay', '--seed', '7', '--evidence', evidence]);
      const again = await runMain(['replay-check', evidence, 'fork.created', ...host, '--quiet']);
      expect(again.exitCode).toBe(1);
      expect(again.stdout).toMatch(/^fork\.created\n  then: fail: .*\n  now:  fail: .*\n/u);
      const machine = await runMain([
        'replay-check',
        evidence,
        'fork.created',
        ...host,
        '--reporter',
        'json',
        '--level',
        'should',
      ]);
      expect(JSON.parse(machine.stdout)).toMatchObject({ exitCode: 1, options: { level: 'should' } });
      expect(machine.stderr).toContain('fork.created\n  then: fail: ');
      const self = at('self.ndjson');
      await runMain(['self-test', '--scenario', 'fork.full-replay', '--seed', '7', '--evidence', self]);
      const own = await runMain(['replay-check', self, 'fork.full-replay', '--quiet']);
      expect(own.exitCode).toBe(0);
      expect(own.stdout).toContain('fork.source-untouched\n  then: pass\n  now:  pass\n');
    });
  });

  it('asks nobody whom the command line does not name, and nothing that was not recorded', async () => {
    await withBroken(async (at, host) => {
      const evidence = at('evidence.ndjson');
      await runMain([...host, '--scenario', 'fork.full-replay', '--evidence', evidence]);
      const nobody = await runMain(['replay-check', evidence, 'fork.created']);
      expect([nobody.exitCode, nobody.stdout]).toEqual([2, '']);
      expect(nobody.stderr).toContain(`--base-url is missing: the run was recorded at ${host[1]}`);
      const misspelt = await runMain(['replay-check', evidence, 'fork.creatd', ...host]);
      expect(misspelt.exitCode).toBe(2);
      expect(misspelt.stderr).toContain('did you mean fork.created?');
    });
  });
});
