import { decides, type Level } from '../contract/level.ts';
import type { CheckReport, Report } from '../contract/report.ts';

/** Whether a failed check is advice beside the verdict, because its level does not decide in this run (readings, Verdicts). */
export function isAdvice(check: CheckReport, report: Report): boolean {
  return check.verdict === 'fail' && !decidesIn(report, check.level);
}

/** Whether checks of a level decide in this run. */
export function decidesIn({ options }: Report, level: Level): boolean {
  return decides(level, options['level'] === 'should' ? 'should' : 'must');
}
