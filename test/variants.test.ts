import { describe, expect, it } from 'vitest';
import { VARIANTS } from './variants/index.ts';
import { conformant, ids, lines, testVariants } from './variants/judged.ts';

describe('the conformant host', () => {
  it('passes everything that applies to it', () => {
    const red = conformant.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(lines(red)).toEqual([]);
    expect(conformant.exitCode).toBe(0);
    expect(ids(conformant, 'not-applicable')).toEqual([
      'discovery.vendor-recipe-documented',
      'fork.unadvertised-mode',
      'refusal.not-below-version-four',
      'handoff.not-unless-supported',
    ]);
  });
});

describe('allowed variants, the first half', () => {
  testVariants(VARIANTS.slice(0, VARIANTS.length / 2));
});
