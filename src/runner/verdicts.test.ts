import { describe, expect, it } from 'vitest';
import { count } from '../contract/report.ts';
import type { Verdict } from '../contract/verdict.ts';
import { decides } from '../contract/requirement.ts';
import { combine, conclude } from './verdicts.ts';

const word: Readonly<Record<string, Verdict>> = {
  p: 'pass',
  f: 'fail',
  i: 'inconclusive',
  n: 'not-applicable',
  e: 'error',
};

function verdicts(letters: string): readonly Verdict[] {
  return Array.from(letters, (letter) => word[letter] ?? 'error');
}

describe('conclude', () => {
  it.each([
    ['p', 'conformant', 0, 0],
    ['pn', 'conformant', 0, 0],
    ['pi', 'inconclusive', 3, 0],
    ['pin', 'inconclusive', 3, 0],
    ['i', 'inconclusive', 3, 3],
    ['n', 'inconclusive', 3, 3],
    ['in', 'inconclusive', 3, 3],
    ['', 'inconclusive', 3, 3],
    ['f', 'non-conformant', 1, 1],
    ['pif', 'non-conformant', 1, 1],
    ['e', 'error', 4, 4],
    ['pfie', 'error', 4, 4],
  ] as const)('of "%s" is %s, exit code %i, or %i where inconclusive is allowed', (letters, verdict, code, allowed) => {
    expect(conclude(verdicts(letters), false)).toEqual({ verdict, exitCode: code });
    expect(conclude(verdicts(letters), true)).toEqual({ verdict, exitCode: allowed });
  });
});

describe('combine', () => {
  it.each([
    ['', 'not-applicable'],
    ['n', 'not-applicable'],
    ['np', 'pass'],
    ['pi', 'inconclusive'],
    ['if', 'fail'],
    ['fe', 'error'],
  ])('of "%s" is %s', (letters, verdict) => {
    expect(combine(verdicts(letters))).toBe(verdict);
  });
});

describe('count', () => {
  it('counts every verdict', () => {
    expect(count(verdicts('ppfinnne'))).toEqual({ pass: 2, fail: 1, inconclusive: 1, notApplicable: 3, error: 1 });
  });
});

describe('decides', () => {
  it.each([
    ['MUST', 'must', true],
    ['MUST', 'should', true],
    ['SHOULD', 'must', false],
    ['SHOULD', 'should', true],
    ['MAY', 'must', false],
    ['MAY', 'should', false],
  ] as const)('a %s row under --level %s: %s', (level, deciding, expected) => {
    expect(decides(level, deciding)).toBe(expected);
  });
});
