import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { catalogue } from '../src/cache-key/index.ts';
import { runMutant } from '../src/kill-matrix/run-mutant.ts';
import { SUITES } from '../scenarios/index.ts';
import type { Scenario } from '../src/runner/scenario.ts';
import { packageFile } from '../src/contract/package-root.ts';
import type { KillMatrix } from '../src/kill-matrix/matrix.ts';
import { runCli } from './cli.ts';

/** readings.md, Wrong keys that have a name. */
const NAMED_WRONG_KEYS = `
  null-placeholders defaults-filled sampling-omitted tools-omitted response-format-omitted
  extra-field-included key-insertion-order shallow-sort arrays-sorted messages-reordered tools-unsorted
  tools-locale-sorted last-message-only system-ignored provider-omitted model-case-folded content-coalesced
  content-trimmed nfc-applied number-text negative-zero ascii-escaped html-escaped code-point-order
  integer-keys-first proto-key-dropped utf8-replacement uppercase-hex base64 truncated algorithm-prefix
  trailing-newline tenant-in-key request-id-in-key salted recipe-rfc-0150 recipe-null-form
`
  .trim()
  .split(/\s+/);

/** `key-insertion-order` is a name of its own; every other one follows the prefix. */
function mutantOf(code: string): string {
  return code.startsWith('key-') ? code : `key-${code}`;
}

const ids = MUTANTS.map((mutant) => mutant.id);
const checks = SUITES.flatMap((suite) => suite.scenarios).flatMap((scenario) => scenario.checks);

describe('the mutants', () => {
  it('have ids of their own', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('are exactly those of the tables in their directory', async () => {
    const files = readdirSync(packageFile('reference-host', 'mutants'), { recursive: true, encoding: 'utf8' });
    const themes = files.filter((file) => /^(?!shared)[^/]+\/(?!index\.)[^/]+\.ts$/u.test(file));
    const tables = await Promise.all(
      themes.map(async (file) => (await import(`../reference-host/mutants/${file}`)) as { readonly defects: object }),
    );
    expect(ids.toSorted()).toEqual(tables.flatMap(({ defects }) => Object.keys(defects)).toSorted());
  });

  it('kill checks that there are, and every check has one', () => {
    const known = new Set(checks.map((check) => check.id));
    const killed = new Set(MUTANTS.flatMap((mutant) => mutant.kills));
    expect([...killed].filter((id) => !known.has(id))).toEqual([]);
    expect([...known].filter((id) => !killed.has(id))).toEqual([]);
    expect(MUTANTS.filter((mutant) => mutant.kills.length === 0)).toEqual([]);
  });

  it('include every wrong key that has a name, and the catalogue knows them all', () => {
    expect(NAMED_WRONG_KEYS.filter((code) => !ids.includes(mutantOf(code)))).toEqual([]);
    const codes = catalogue.map((entry) => entry.code);
    expect(NAMED_WRONG_KEYS.filter((code) => !codes.includes(code))).toEqual([]);
  });
});

/** Those scenarios that give one of these checks, the later ones first: they send less. */
function scenariosOf(kills: readonly string[]): readonly Scenario[] {
  const all = SUITES.flatMap(({ scenarios }) => scenarios);
  return all.filter((scenario) => scenario.checks.some((check) => kills.includes(check.id))).toReversed();
}

describe('the diagnosis', () => {
  const cases = NAMED_WRONG_KEYS.flatMap((code) =>
    MUTANTS.filter((mutant) => mutant.id === mutantOf(code)).map((mutant) => [code, mutant] as const),
  );

  // That all scenarios that should kill it do is what the whole matrix shows.
  it.each(cases)('names %s', async (code, mutant) => {
    const codes: unknown[] = [];
    for (const scenario of scenariosOf(mutant.kills)) {
      const suites = [{ id: scenario.suite, scenarios: [scenario] }];
      const { checks: judged } = await runMutant(suites, mutant, 'few');
      const killed = judged.filter(({ id }) => mutant.kills.includes(id));
      expect(killed.filter(({ verdict }) => verdict !== 'fail')).toEqual([]);
      codes.push(...killed.map(({ diagnosis }) => diagnosis?.code));
      if (codes.includes(code)) break;
    }
    expect(codes).toContain(code);
  });
});

const SUITES_OF_BOTH = '--suite discovery --suite fork-contract';

describe('the matrix of some mutants', () => {
  it('says what kills each of them, in the order of the table', async () => {
    const { exitCode, stdout, stderr } = await runCli(
      `mutants fork-status-left-out discovery-as-list ${SUITES_OF_BOTH} --json`.split(' '),
    );
    expect(stderr).toBe('');
    const { mutants, checksWithoutKiller } = JSON.parse(stdout) as KillMatrix;
    expect(mutants.map(({ id, killedBy }) => [id, killedBy])).toEqual(
      ['discovery-as-list', 'fork-status-left-out'].map((id) => [id, MUTANTS.find((each) => each.id === id)?.kills]),
    );
    expect(checksWithoutKiller).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it('of one suite names the checks of that suite only', async () => {
    const { exitCode, stdout } = await runCli(['mutants', '--suite', 'discovery']);
    expect(stdout).toMatch(/ 0 without a killer, 0 problems, /);
    expect(stdout).not.toContain('cache-key.');
    expect(exitCode).toBe(0);
  });
});
