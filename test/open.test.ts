import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCli, withTemporaryDirectory } from './cli.ts';
import { runMain } from './run-main.ts';
import { packageFile } from '../src/contract/package-root.ts';

const LOGS = ['remember-source', 'remember-regenerated'].map((name) =>
  packageFile('fixtures', 'event-logs', `${name}.ndjson`),
);

interface Opened {
  readonly url: string;
  readonly runs: number;
}

/** Opens files, asks for pages below the address that was printed, and ends the process as Ctrl-C does. */
async function opened(files: readonly string[], work: (opened: Opened) => Promise<void>): Promise<void> {
  const process = startCli(['open', ...files, '--json']);
  try {
    await work(JSON.parse(await process.firstLine) as Opened);
    process.signal('SIGINT');
    expect(await process.ended).toMatchObject({ exitCode: 0, stderr: '' });
  } finally {
    process.signal('SIGKILL');
  }
}

describe('open', () => {
  it('shows two recorded logs side by side, and ends with Ctrl-C', async () => {
    await opened(LOGS, async ({ url, runs }) => {
      expect(runs).toBe(2);
      expect(new URL(url).hostname).toBe('127.0.0.1');
      const page = await (await fetch(url)).text();
      expect(page).toContain('First divergence: regenerated-fact');
      expect((await fetch(new URL('/', url))).status).toBe(200);
    });
  });

  it('shows the runs of an evidence file', async () => {
    await withTemporaryDirectory(async (directory) => {
      const evidence = join(directory, 'evidence.ndjson');
      await runMain(['self-test', '--scenario', 'diff.shape', '--seed', '1', '--evidence', evidence]);
      await opened([evidence], async ({ url, runs }) => {
        expect(runs).toBeGreaterThan(0);
        expect(await (await fetch(url)).text()).toContain('recorded, without a host');
      });
    });
  });

  it('says in one line what cannot be shown', async () => {
    for (const file of ['/nowhere.ndjson', packageFile('package.json')]) {
      const { exitCode, stderr } = await runMain(['open', file]);
      expect([exitCode, stderr.trim().split('\n').length]).toEqual([2, 1]);
    }
  });
});
