import { expect, it } from 'vitest';
import type { CheckReport, Report } from '../../src/contract/report.ts';
import { runMutant } from '../../src/cli/kill-matrix/run-mutant.ts';
import { SUITES } from '../../src/cli/suites.ts';
import type { Variant } from './variant.ts';

/** The host that all variants vary. */
export const conformant = await runMutant(SUITES, { parts: () => ({}) }, 'few');

/** One line a check, so that a failing test names what was misjudged and why. */
export function lines(checks: readonly CheckReport[]): readonly string[] {
  return checks.map(({ id, verdict, reason, expected, actual }) =>
    [id, verdict, reason ?? `${expected ?? ''} / ${actual ?? ''}`].join(': '),
  );
}

export function ids(report: Report, verdict: CheckReport['verdict']): readonly string[] {
  return report.checks.filter((check) => check.verdict === verdict).map((check) => check.id);
}

/** Whether a check is about the variant beside the plain host, which says nothing about the variant. */
function isAmongTwo({ alone, oneRegion }: Variant, check: string): boolean {
  return (
    (alone === true && check === 'cache-key.cross-host-parity') || (oneRegion === true && check.startsWith('region.'))
  );
}

/** Tests that each of these variants passes everything that applies to it. */
export function testVariants(variants: readonly Variant[]): void {
  const cases = variants.map((variant) => [variant.id, variant] as const);
  it.each(cases)('%s passes everything', { timeout: 120_000 }, async (_, variant) => {
    const report = await runMutant(SUITES, variant, 'few');
    const checks = report.checks.filter(({ id }) => !isAmongTwo(variant, id));
    const red = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(lines(red)).toEqual([]);
    const excused = new Set([...ids(conformant, 'not-applicable'), ...(variant.notApplicable ?? [])]);
    const skipped = checks.filter(({ id, verdict }) => verdict === 'not-applicable' && !excused.has(id));
    expect(lines(skipped)).toEqual([]);
    for (const suite of SUITES) {
      expect(checks.filter((check) => check.suite === suite.id && check.verdict === 'pass')).not.toHaveLength(0);
    }
  });
}
