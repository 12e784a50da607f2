import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { runCli, withTemporaryDirectory, type Ended } from './cli.ts';

const ROOMS = ['bin', 'src', 'scenarios', 'reference-host', 'schemas', 'fixtures', 'dist', 'package.json'];
const ANSWERS = 'reference-host/mutants/discovery/document.ts';

interface Checkout {
  readonly root: string;
  readonly git: (...args: readonly string[]) => void;
  readonly mutants: (...args: readonly string[]) => Promise<Ended>;
  /** Changes a file; it looks as old as when it was built. */
  readonly edit: (path: string, change: (text: string) => string) => void;
}

/** Gives work a copy of this package. */
function withCopy<T>(work: (checkout: Checkout) => Promise<T>): Promise<T> {
  return withTemporaryDirectory((root) => {
    for (const room of ROOMS)
      cpSync(packageFile(room), join(root, room), { recursive: true, preserveTimestamps: true });
    symlinkSync(packageFile('node_modules'), join(root, 'node_modules'));
    const cli = join(root, 'dist', 'bin', 'openwop-conformance.cjs');
    return work({
      root,
      git: (...args) => {
        const who = ['-c', 'user.name=n', '-c', 'user.email=e@example.org', '-c', 'commit.gpgsign=false'];
        execFileSync('git', ['-C', root, ...who, ...args], { stdio: 'ignore' });
      },
      mutants: (...args) => runCli(['mutants', ...args], {}, { cli }),
      edit: (path, change) => {
        const file = join(root, path);
        writeFileSync(file, change(readFileSync(file, 'utf8')));
        utimesSync(file, 0, 0);
      },
    });
  });
}

describe('mutants --changed', () => {
  it('runs what has changed since a commit, and says why', async () => {
    await withCopy(async ({ root, git, mutants, edit }) => {
      const outside = await mutants('--changed');
      expect([outside.exitCode, outside.stderr]).toEqual([2, expect.stringContaining('needs a checkout')]);

      writeFileSync(join(root, '.gitignore'), 'dist/\nnode_modules\n');
      git('init', '-q');
      git('add', '-A');
      git('commit', '-qm', 'all');
      const nothing = await mutants('--changed');
      expect([nothing.exitCode, nothing.stdout]).toEqual([
        0,
        expect.stringContaining('nothing that changed since HEAD'),
      ]);
      const unknown = await mutants('--changed', 'no-such-branch');
      expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('no commit "no-such-branch"')]);

      edit(ANSWERS, (text) => text.replace('The discovery document is a JSON array', 'The document is an array'));
      git('commit', '-qam', 'one mutant');
      expect((await mutants('--changed')).stdout).toContain('nothing that changed');
      const one = await mutants('--changed', 'HEAD~1');
      expect(one.stderr).toBe('');
      expect(one.stdout).toMatch(
        /^changed since HEAD~1: 1 mutants that changed\ndiscovery-as-list {2}discovery\.reachable\n/u,
      );
      expect(one.exitCode).toBe(0);

      appendFileSync(join(root, ANSWERS), '\n');
      const stale = await mutants('--changed');
      expect([stale.exitCode, stale.stderr]).toEqual([2, expect.stringContaining(`older than ${ANSWERS}`)]);
    });
  });
});
