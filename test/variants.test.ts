import { describe, expect, it } from 'vitest';
import type { CheckReport, Report } from '../src/contract/report.ts';
import { runMutant } from '../src/cli/kill-matrix/run-mutant.ts';
import { SUITES } from '../src/cli/suites.ts';
import { VARIANTS } from './variants/index.ts';

const conformant = await runMutant(SUITES, { parts: () => ({}) }, 'few');

/** One line a check, so that a failing test names what was misjudged and why. */
function lines(checks: readonly CheckReport[]): readonly string[] {
  return checks.map(({ id, verdict, reason, expected, actual }) =>
    [id, verdict, reason ?? `${expected ?? ''} / ${actual ?? ''}`].join(': '),
  );
}

function ids(report: Report, verdict: CheckReport['verdict']): readonly string[] {
  return report.checks.filter((check) => check.verdict === verdict).map((check) => check.id);
}

describe('the conformant host', () => {
  it('passes everything that applies to it', () => {
    const red = conformant.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(lines(red)).toEqual([]);
    expect(conformant.exitCode).toBe(0);
    expect(ids(conformant, 'not-applicable')).toEqual([
      'discovery.vendor-recipe-documented',
      'fork.unadvertised-mode',
      'refusal.not-below-version-four',
    ]);
  });
});

describe('allowed variants', () => {
  it.each(VARIANTS.map((variant) => [variant.id, variant] as const))('%s passes everything', async (_, variant) => {
    const report = await runMutant(SUITES, variant, 'few');
    const checks = report.checks.filter(({ id }) => variant.alone !== true || id !== 'cache-key.cross-host-parity');
    const red = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(lines(red)).toEqual([]);
    const excused = new Set([...ids(conformant, 'not-applicable'), ...(variant.notApplicable ?? [])]);
    const skipped = checks.filter(({ id, verdict }) => verdict === 'not-applicable' && !excused.has(id));
    expect(lines(skipped)).toEqual([]);
    for (const suite of SUITES) {
      expect(checks.filter((check) => check.suite === suite.id && check.verdict === 'pass')).not.toHaveLength(0);
    }
  });
});
