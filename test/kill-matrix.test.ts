import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { catalogue } from '../src/cache-key/index.ts';
import { SUITES } from '../scenarios/index.ts';
import { packageFile } from '../src/contract/package-root.ts';
import type { KillMatrix } from '../src/kill-matrix/matrix.ts';
import { runCli } from './cli.ts';
import { mutantOf, NAMED_WRONG_KEYS } from './named-wrong-keys.ts';

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

const SUITES_OF_BOTH = '--suite discovery --suite run-lifecycle';

describe('the matrix of some mutants', () => {
  it('says what kills each of them, in the order of the table', async () => {
    const { exitCode, stdout, stderr } = await runCli(
      `mutants cancel-names-another-run discovery-as-list ${SUITES_OF_BOTH} --sample 0 --json`.split(' '),
    );
    expect(stderr.replaceAll(/^openwop-conformance: [01] of 2 mutants were run\n/gmu, '')).toBe('');
    const { mutants, checksWithoutKiller } = JSON.parse(stdout) as KillMatrix;
    expect(mutants.map(({ id, killedBy }) => [id, killedBy])).toEqual(
      ['discovery-as-list', 'cancel-names-another-run'].map((id) => [
        id,
        MUTANTS.find((each) => each.id === id)?.kills,
      ]),
    );
    expect(checksWithoutKiller).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it('is dealt out in parts that are the whole together', async () => {
    const parts = [1, 2].map((index) => `mutants --suite discovery --sample 0 --json --shard ${index}/2`.split(' '));
    const matrices = await Promise.all(
      parts.map(async (args) => JSON.parse((await runCli(args)).stdout) as KillMatrix),
    );
    const met = matrices.map(({ mutants }) => mutants.map(({ id }) => id));
    const scenarios = SUITES.filter(({ id }) => id === 'discovery').flatMap((suite) => suite.scenarios);
    const ofDiscovery = new Set(scenarios.flatMap((scenario) => scenario.checks.map(({ id }) => id)));
    const all = MUTANTS.filter(({ kills }) => kills.some((id) => ofDiscovery.has(id))).map(({ id }) => id);
    expect(met.flat().toSorted()).toEqual(all.toSorted());
    expect(met.every(({ length }) => length < all.length)).toBe(true);
    expect(matrices.flatMap(({ checksWithoutKiller }) => checksWithoutKiller)).toEqual([]);
  });

  it('of one suite names the checks of that suite only', async () => {
    const { exitCode, stdout } = await runCli(['mutants', '--suite', 'discovery']);
    expect(stdout).toMatch(/ 0 without a killer, 0 problems, /);
    expect(stdout).not.toContain('cache-key.');
    expect(exitCode).toBe(0);
  });
});
