import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { SUITES } from '../scenarios/index.ts';
import { runMutant } from './run-mutant.ts';
import type { Scenario } from '../src/runner/scenario.ts';
import { mutantOf, NAMED_WRONG_KEYS } from './named-wrong-keys.ts';

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
