import { describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { MUTANTS } from '../../../reference-host/mutants/index.ts';
import { packageFile } from '../../contract/package-root.ts';
import { SUITES } from '../../../scenarios/index.ts';
import { type ChangedLines, linesOf } from './git.ts';
import { importsOf, withDependents } from './import-graph.ts';
import { mutantEntries, scenarioModules, touchedBy } from './touched.ts';
import { selection } from './selection.ts';

const sources = new Map<string, string>(
  ['src', 'scenarios', 'reference-host'].flatMap((room) =>
    readdirSync(packageFile(room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/u.test(name))
      .map((name) => [`${room}/${name}`, readFileSync(packageFile(room, name), 'utf8')] as const),
  ),
);

function touched(changed: Readonly<Record<string, ChangedLines>>, partsOf: Readonly<Record<string, string[]>> = {}) {
  const checkout = {
    sources,
    suites: SUITES,
    changed: new Map(Object.entries(changed)),
    partsOf: new Map(Object.entries(partsOf)),
  };
  const { mutants, replacing, scenarios, host } = touchedBy(checkout);
  return { mutants: [...mutants], replacing: [...replacing], scenarios: [...scenarios], host };
}

const NOTHING = { mutants: [], replacing: [], scenarios: [], host: false };
const ANSWERS = 'reference-host/mutants/fork-contract/answers.ts';

/** The number of the first line that holds a text. */
function lineOf(path: string, text: string): number {
  return (sources.get(path) ?? '').split('\n').findIndex((line) => line.includes(text)) + 1;
}

describe('changed lines', () => {
  it('are those of the new text, those around a deletion, and all of a new file', () => {
    const patch = `diff --git a.ts a.ts
--- a.ts
+++ a.ts
@@ -1 +1,2 @@
-a
+b
+c
@@ -9,2 +10,0 @@
-d
-e
diff --git new.ts new.ts
new file mode 100644
--- /dev/null
+++ new.ts
@@ -0,0 +1 @@
+f
diff --git old.ts old.ts
--- old.ts
+++ /dev/null
@@ -1 +0,0 @@
-g
`;
    const expected: [string, ChangedLines][] = [
      ['a.ts', new Set([1, 2, 10, 11])],
      ['new.ts', 'all'],
      ['old.ts', new Set([0, 1])],
    ];
    expect([...linesOf(patch)]).toEqual(expected);
  });
});

describe('imports', () => {
  it('are those of values, with the names that they have here', () => {
    const text = `import { a, b as c, type D } from './one.ts';
import type { E } from './two.ts';
import {
  f,
} from '../three.ts';
export { g } from './four.ts';
import './five.ts';
import h from 'elsewhere';
`;
    expect(importsOf('room/file.ts', text)).toEqual([
      { from: 'room/one.ts', names: ['a', 'c'] },
      { from: 'three.ts', names: ['f'] },
      { from: 'room/four.ts', names: ['g'] },
      { from: 'room/five.ts', names: [] },
    ]);
  });

  it('lead to all that stand on a file', () => {
    const three = new Map([
      ['a.ts', ''],
      ['b.ts', "import { a } from './a.ts';"],
      ['c.ts', "import { b } from './b.ts';\nimport type { A } from './a.ts';"],
      ['d.ts', "import type { A } from './a.ts';"],
    ]);
    expect([...withDependents(three, ['a.ts'])]).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });
});

describe('the sources', () => {
  it('hold every mutant as an entry of a table', () => {
    const tables = [...sources].filter(([path]) => /^reference-host\/mutants\/(?!shared)[^/]+\//u.test(path));
    const ids = tables.flatMap(([, text]) => mutantEntries(text).map(({ id }) => id));
    expect(ids.toSorted()).toEqual(MUTANTS.map(({ id }) => id).toSorted());
    for (const [path, text] of tables) {
      const entries = mutantEntries(text);
      const overlaps = entries.filter(({ last }, index) => last >= (entries[index + 1]?.first ?? Infinity));
      expect([path, overlaps.map(({ id }) => id)]).toEqual([path, []]);
    }
  });

  it('hold every scenario in a module that a table of contents names', () => {
    const modules = scenarioModules(sources, SUITES);
    expect([...modules.values()].filter((path) => path.endsWith('/index.ts') || !sources.has(path))).toEqual([]);
    expect(modules.get('fork.branch')).toBe('scenarios/fork-contract/branch.ts');
    expect(modules.get('region.same-fork')).toBe('scenarios/replay-governance/region.ts');
    expect(modules.get('discovery.document')).toBe('scenarios/discovery/document.ts');
  });
});

describe('a change', () => {
  it('of tests, texts and what prints reports touches nothing', () => {
    const changed = { 'README.md': 'all', 'src/runner/run.test.ts': 'all', 'src/report/terminal.ts': 'all' } as const;
    expect(touched(changed)).toEqual(NOTHING);
  });

  it('of a mutant touches that one, and of a line beside the entries all of the file', () => {
    const line = lineOf(ANSWERS, "'fork-status-left-out'") + 1;
    expect(touched({ [ANSWERS]: new Set([line]) })).toEqual({ ...NOTHING, mutants: ['fork-status-left-out'] });
    expect(touched({ [ANSWERS]: new Set([1]) })).toEqual(NOTHING);
    const all = mutantEntries(sources.get(ANSWERS) ?? '').map(({ id }) => id);
    expect(touched({ [ANSWERS]: 'all' }).mutants).toEqual(all);
    expect(touched({ [ANSWERS]: new Set([lineOf(ANSWERS, 'export const')]) }).mutants).toEqual(all);
  });

  it('of what mutants share touches those that use it', () => {
    const { mutants, scenarios } = touched({ 'reference-host/mutants/shared/meeting.ts': 'all' });
    expect(mutants).toContain('fork-key-racy');
    expect(mutants).not.toContain('fork-key-ignored');
    expect(scenarios).toEqual([]);
  });

  it('of a scenario, or of what it imports, touches it', () => {
    expect(touched({ 'scenarios/fork-contract/judge-branch.ts': 'all' }).scenarios).toContain('fork.branch');
    expect(touched({ 'scenarios/fork-contract/missing-scope.ts': 'all' }).scenarios).toEqual([
      'fork.missing-scope',
      'fork.missing-scope.branch',
    ]);
    expect(touched({ 'src/cache-key/write.ts': 'all' }).scenarios).not.toContain('fork.missing-scope');
    expect(touched({ 'src/runner/judge.ts': 'all' }).scenarios).toHaveLength(
      SUITES.flatMap((suite) => suite.scenarios).length,
    );
  });

  it('of a fixture touches the scenarios that name it', () => {
    const { scenarios } = touched({ 'fixtures/workflows/conformance-determinism-parallel.json': 'all' });
    expect(scenarios).toContain('sequence.parallel-branches');
    expect(scenarios).not.toContain('fork.missing-scope');
    const all = SUITES.flatMap((suite) => suite.scenarios).map(({ id }) => id);
    expect(touched({ 'fixtures/vectors/named-by-nobody.json': 'all' }).scenarios).toEqual(all);
  });

  it('of the reference host touches the mutants of the parts that are asked near it', () => {
    const WRITER = 'reference-host/engine/writer.ts';
    const partsOf = { stale: ['refusesStale'], other: ['order'] };
    const changed = { [WRITER]: new Set([lineOf(WRITER, 'refusesStale')]) };
    expect(touched(changed, partsOf)).toEqual({ ...NOTHING, replacing: ['stale'], host: true });
  });
});

describe('a selection', () => {
  const tables = { suites: SUITES, mutants: MUTANTS };
  const none = { mutants: new Set<string>(), replacing: new Set<string>(), scenarios: new Set<string>(), host: false };

  it('says so where nothing is touched', () => {
    const { runs, why } = selection(none, tables, 'HEAD');
    expect(runs).toEqual([]);
    expect(why).toContain('nothing that changed since HEAD');
  });

  it('runs mutants against all suites, and the killers of scenarios against these', () => {
    const touchedNow = {
      ...none,
      mutants: new Set(['fork-status-left-out']),
      scenarios: new Set(['fork.missing-scope']),
    };
    const { runs, checks, why } = selection(touchedNow, tables, 'main');
    expect(runs.map(({ mutants }) => mutants.map(({ id }) => id))).toEqual([
      ['fork-status-left-out'],
      MUTANTS.filter(({ kills }) => kills.some((id) => checks.includes(id))).map(({ id }) => id),
    ]);
    expect(runs.map(({ suites }) => suites.flatMap((suite) => suite.scenarios).length)).toEqual([
      SUITES.flatMap((suite) => suite.scenarios).length,
      1,
    ]);
    expect(why).toMatch(/^changed since main: 1 mutants that changed, \d+ mutants for 1 scenarios that changed$/u);
  });

  it('runs every scenario where the reference host changed', () => {
    const { runs } = selection({ ...none, host: true }, tables, 'HEAD');
    expect(runs).toEqual([{ suites: SUITES, mutants: [], conformantToo: true }]);
  });
});
