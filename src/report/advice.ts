import { decides } from '../contract/level.ts';
import type { CheckReport, Report } from '../contract/report.ts';

/** Whether a failed check is advice beside the verdict, because its level does not decide in this run (readings, Verdicts). */
export function isAdvice(check: CheckReport, report: Report): boolean {
  return check.verdict === 'fail' && !decides(check.level, report.options['level'] === 'should' ? 'should' : 'must');
}
