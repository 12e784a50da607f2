import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { UsageError } from '../../contract/usage-error.ts';

/** The numbers of a file's lines that changed, from 1; `all` for a new file. What was deleted is charged to the lines around it. */
export type ChangedLines = ReadonlySet<number> | 'all';

/**
 * What changed in a checkout since a commit, untracked files included: lines by paths from its root. Throws UsageError
 * where the folder is no checkout's root, or the name no commit's.
 */
export function changedSince(root: string, ref: string): ReadonlyMap<string, ChangedLines> {
  const git = (...args: readonly string[]): string | undefined => run(root, args);
  const top = git('rev-parse', '--show-toplevel')?.trim();
  if (top === undefined || realpathSync(top) !== realpathSync(root)) {
    throw new UsageError('--changed needs a checkout of openwop-conformance: the package holds no sources to compare');
  }
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)?.trim();
  if (commit === undefined) throw new UsageError(`--changed: git knows no commit ${JSON.stringify(ref)}`);
  const patch = git('diff', '-U0', '--no-color', '--no-ext-diff', '--no-renames', '--no-prefix', commit, '--') ?? '';
  const untracked = (git('ls-files', '-z', '--others', '--exclude-standard') ?? '').split('\0');
  const isNew = untracked.filter((path) => path !== '').map((path) => [path, 'all'] as const);
  return new Map<string, ChangedLines>([...linesOf(patch), ...isNew]);
}

/** The changed lines of each file in the text of a patch without context. */
export function linesOf(patch: string): ReadonlyMap<string, ChangedLines> {
  const files = patch.split(/^diff --git /mu).slice(1);
  return new Map(
    files.flatMap((file) => {
      const [before, after] = [/^--- (.+)$/mu, /^\+\+\+ (.+)$/mu].map((line) => line.exec(file)?.[1]);
      const path = after === '/dev/null' ? before : after;
      if (path === undefined) return [];
      const hunks = [...file.matchAll(/^@@ \S+ \+(\d+)(?:,(\d+))? @@/gmu)];
      return [[path, before === '/dev/null' ? ('all' as const) : new Set(hunks.flatMap(linesOfHunk))] as const];
    }),
  );
}

function linesOfHunk([, first, count]: readonly (string | undefined)[]): readonly number[] {
  const start = Number(first);
  const length = Number(count ?? 1);
  return length === 0 ? [start, start + 1] : Array.from({ length }, (_, index) => start + index);
}

function run(root: string, args: readonly string[]): string | undefined {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio, maxBuffer: 256 * 1024 * 1024 });
  } catch {
    return undefined;
  }
}
