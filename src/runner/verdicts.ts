import type { CheckReport, ExitCode, OverallVerdict } from '../contract/report.ts';
import { decides, type DecidingLevel } from '../contract/requirement.ts';
import type { Verdict } from '../contract/verdict.ts';

/** One requirement's verdict from its checks': the worst one counts, and it passes only where one check passed. */
export function combine(verdicts: readonly Verdict[]): Verdict {
  for (const verdict of ['error', 'fail', 'inconclusive', 'pass'] as const) {
    if (verdicts.includes(verdict)) return verdict;
  }
  return 'not-applicable';
}

/**
 * The overall verdict and the exit code, from the verdicts of the deciding checks. Where nothing failed but nothing
 * passed either, nothing was verified: inconclusive. `allowInconclusive` excuses what could not be observed, as long as
 * something passed.
 */
export function conclude(
  verdicts: readonly Verdict[],
  allowInconclusive: boolean,
): { readonly verdict: OverallVerdict; readonly exitCode: ExitCode } {
  if (verdicts.includes('error')) return { verdict: 'error', exitCode: 4 };
  if (verdicts.includes('fail')) return { verdict: 'non-conformant', exitCode: 1 };
  const passed = verdicts.includes('pass');
  if (verdicts.includes('inconclusive') || !passed) {
    return { verdict: 'inconclusive', exitCode: allowInconclusive && passed ? 0 : 3 };
  }
  return { verdict: 'conformant', exitCode: 0 };
}

/** The verdicts that decide: those of the deciding levels, and each error of the harness, whatever its level. */
export function decidingAmong(checks: readonly CheckReport[], level: DecidingLevel): readonly Verdict[] {
  return checks
    .filter((check) => check.verdict === 'error' || decides(check.level, level))
    .map(({ verdict }) => verdict);
}
