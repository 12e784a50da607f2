import type { DecidingLevel } from '../contract/requirement.ts';
import { type CheckReport, count, type OverallVerdict, type SuiteReport, type Unmet } from '../contract/report.ts';
import { conclude, decidingAmong } from './verdicts.ts';

/**
 * What became of each suite that was selected, in their order. None is conformant of which a check, of whatever level, is
 * undecided as the run ended before it was driven to its end (`isCut`).
 */
export function reportSuites(
  checks: readonly CheckReport[],
  level: DecidingLevel,
  isCut: (check: CheckReport) => boolean,
): readonly SuiteReport[] {
  return [...new Set(checks.map(({ suite }) => suite))].map((id) => {
    const own = checks.filter(({ suite }) => suite === id);
    const counts = count(own.map(({ verdict }) => verdict));
    if (!isJudged(own)) return { id, verdict: 'not-judged', counts, reason: whyNot(own) };
    const verdict = verdictOf(own, level);
    return { id, verdict: verdict === 'conformant' && own.some(isCut) ? 'inconclusive' : verdict, counts };
  });
}

/** As that of a run, but that a suite is conformant, too, where all that passed is advice. */
function verdictOf(checks: readonly CheckReport[], level: DecidingLevel): OverallVerdict {
  const passed = checks.map(({ verdict }) => verdict).filter((verdict) => verdict === 'pass');
  return conclude([...decidingAmong(checks, level), ...passed], false).verdict;
}

/** The suites and requirements among these of which nothing was decided, each with the reason. */
export function unmetAmong(required: readonly string[], checks: readonly CheckReport[]): readonly Unmet[] {
  return [...new Set(required)].flatMap((id) => {
    const own = checks.filter(({ suite, requirement }) => suite === id || requirement === id);
    return isJudged(own) ? [] : [{ id, reason: whyNot(own) }];
  });
}

/** An error is not silence: it is said as such. */
function isJudged(checks: readonly CheckReport[]): boolean {
  return checks.some(({ verdict }) => verdict === 'pass' || verdict === 'fail' || verdict === 'error');
}

/** The reason that most checks give, those that apply before those that do not. */
function whyNot(checks: readonly CheckReport[]): string {
  if (checks.length === 0) return 'not selected';
  const applying = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const amounts = new Map<string, number>();
  for (const { reason = '' } of applying.length > 0 ? applying : checks) {
    amounts.set(reason, (amounts.get(reason) ?? 0) + 1);
  }
  return [...amounts].toSorted(([, a], [, b]) => b - a).at(0)?.[0] ?? '';
}
