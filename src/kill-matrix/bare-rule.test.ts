import { describe, expect, it } from 'vitest';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { aliveAmong, bareProblems, DECIDED_AT_LEAST, killersFor, namedProblems } from './bare-rule.ts';
import type { MutantRow } from './matrix.ts';

const CHECKS = Array.from({ length: DECIDED_AT_LEAST }, (_, index) => `check.${index}`);
const [FIRST = '', SECOND = '', THIRD = ''] = CHECKS;

function row(id: string, found: Partial<MutantRow>): MutantRow {
  return { id, breaks: 'something', killedBy: [], alsoBroken: [], stray: [], ...found };
}

function mutant(id: string, kills: readonly string[], more: Partial<Mutant> = {}): Mutant {
  return { id, breaks: 'something', kills, parts: () => ({}), ...more };
}

const GREEN = { rows: [row('one', { killedBy: CHECKS, alsoBroken: ['other'] })], decided: CHECKS, red: [] };

describe('the bare matrix', () => {
  it('is right where enough is decided, and each of that killed by mutants that name what they turn red', () => {
    expect(bareProblems(GREEN)).toEqual([]);
  });

  it('is wrong where the conformant host is red', () => {
    expect(bareProblems({ ...GREEN, red: ['other'] })).toEqual(['other is red on the conformant host']);
  });

  it('is wrong where too few checks are decided', () => {
    expect(bareProblems({ ...GREEN, decided: CHECKS.slice(1) })).toEqual([
      `${DECIDED_AT_LEAST - 1} checks are decided with public workflows and seams: fewer than ${DECIDED_AT_LEAST}`,
    ]);
  });

  it('is wrong where a decided check stays alive, also where a mutant turns it red that does not name it', () => {
    const rows = [row('one', { killedBy: CHECKS.slice(1) }), row('two', { stray: [FIRST] })];
    expect(bareProblems({ ...GREEN, rows })).toEqual([
      `two turns ${FIRST} red, which it does not name`,
      `no mutant kills ${FIRST} with public workflows and seams`,
    ]);
  });

  it('of named mutants is wrong where one is not seen, or turns red what it does not name', () => {
    expect(namedProblems([row('one', { killedBy: [FIRST] })])).toEqual([]);
    expect(
      namedProblems([row('one', { alsoBroken: [FIRST] }), row('two', { killedBy: [FIRST], stray: [SECOND] })]),
    ).toEqual(['one is not seen with public workflows and seams', `two turns ${SECOND} red, which it does not name`]);
  });
});

function names({ kills }: Mutant, check: string): boolean {
  return kills.includes(check);
}

function chosen(checks: readonly string[], mutants: readonly Mutant[], mayKill = names): readonly string[] {
  return killersFor(checks, mutants, mayKill).map(({ id }) => id);
}

describe('the mutants of a round', () => {
  it('are one for each check, and none for a check that a chosen one names', () => {
    const mutants = [mutant('both', [FIRST, SECOND]), mutant('second', [SECOND]), mutant('third', [THIRD])];
    expect(chosen([FIRST, SECOND, THIRD], mutants)).toEqual(['both', 'third']);
    expect(chosen([THIRD], mutants)).toEqual(['third']);
  });

  it('are those that may kill, and wait by the clock only where no other one is left', () => {
    const slow = mutant('slow', [FIRST], { waits: true });
    const quick = mutant('quick', [FIRST]);
    expect(chosen([FIRST], [slow, quick])).toEqual(['quick']);
    expect(chosen([FIRST], [slow])).toEqual(['slow']);
    expect(chosen([FIRST], [slow, quick], () => false)).toEqual([]);
  });

  it('are looked for while checks are alive', () => {
    expect(aliveAmong([FIRST, SECOND], [row('one', { killedBy: [FIRST], stray: [SECOND] })])).toEqual([SECOND]);
  });
});
