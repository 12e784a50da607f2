import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defaultParts } from '../../../reference-host/index.ts';
import type { Mutant } from '../../../reference-host/mutants/mutant.ts';
import { packageFile } from '../../contract/package-root.ts';
import type { Suite } from '../../runner/scenario.ts';
import { replacedParts } from '../part-use.ts';
import type { MatrixRun } from '../matrix.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { changedSince } from './git.ts';
import { type Touched, touchedBy } from './touched.ts';

/** What a change asks to be run, and why. */
export interface Selection {
  readonly why: string;
  readonly runs: readonly MatrixRun[];
  /** The checks that are others now, by their ids: each needs a killer. */
  readonly checks: readonly string[];
}

interface Tables {
  readonly suites: readonly Suite[];
  readonly mutants: readonly Mutant[];
}

/** Chooses what a change since a commit touches. Throws UsageError outside a checkout, and where dist is older than the sources. */
export function selectChanged(ref: string, tables: Tables): Selection {
  const root = packageFile();
  const changed = changedSince(root, ref);
  const files = sourceFiles(root);
  const newest = files.find((path) => statSync(join(root, path)).mtimeMs > builtAt(root));
  if (newest !== undefined) throw new UsageError(`dist is older than ${newest}: npm run build first`);
  const sources = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const partsOf = new Map(
    tables.mutants.map((mutant) => [mutant.id, lastNames(replacedParts(mutant.parts(defaultParts)))]),
  );
  return selection(touchedBy({ sources, changed, suites: tables.suites, partsOf }), tables, ref);
}

/** What has to be run where this is touched. */
export function selection(
  { mutants: own, replacing, scenarios, host }: Touched,
  tables: Tables,
  ref: string,
): Selection {
  const others = tables.mutants.filter(({ id }) => own.has(id) || replacing.has(id));
  const suites = tables.suites.map((suite) => ({
    ...suite,
    scenarios: suite.scenarios.filter(({ id }) => scenarios.has(id)),
  }));
  const checks = suites.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks.map(({ id }) => id));
  const killers = tables.mutants.filter(
    (mutant) => !others.includes(mutant) && mutant.kills.some((id) => checks.includes(id)),
  );
  const runs: readonly MatrixRun[] = [
    { suites: tables.suites, mutants: others, conformantToo: host },
    { suites, mutants: killers },
  ];
  const reasons = [
    [own.size, `mutants that changed`],
    [others.filter(({ id }) => !own.has(id)).length, 'mutants of parts that changed'],
    [killers.length, `mutants for ${scenarios.size} scenarios that changed`],
  ] as const;
  const chosen = reasons.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const all = host ? [...chosen, 'every scenario against the reference host, which changed'] : chosen;
  return {
    why:
      all.length === 0
        ? `nothing that changed since ${ref} touches a mutant, a scenario or the reference host`
        : `changed since ${ref}: ${all.join(', ')}`,
    runs: runs.filter(({ mutants, conformantToo }) => mutants.length > 0 || conformantToo === true),
    checks,
  };
}

function lastNames(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.split('.').at(-1) ?? path);
}

function sourceFiles(root: string): readonly string[] {
  return ['bin', 'src', 'scenarios', 'reference-host'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .map((name) => `${room}/${name}`)
      .filter((name) => /(?<!\.test)\.tsx?$/u.test(name)),
  );
}

function builtAt(root: string): number {
  return statSync(join(root, 'dist', 'main.js')).mtimeMs;
}
