import { expect } from 'vitest';
import type { Report } from '../src/contract/report.ts';

/**
 * The report of a run within the first of these limits, in milliseconds, in which all is seen that is waited for; or within the last of
 * them: where something hangs, a short one is enough, and where the machine is busy, it may be over before anything came. What is late is
 * undecided: whatever is red within a short limit has to be so within a longer one.
 */
export async function reportWithin(
  [limit = 0, ...longer]: readonly number[],
  run: (timeoutMs: number) => Promise<Report>,
  isSeen: (report: Report) => boolean,
): Promise<Report> {
  const report = await run(limit);
  if (longer.length === 0 || isSeen(report)) return report;
  const later = await reportWithin(longer, run, isSeen);
  expect(redIn(later)).toEqual(expect.arrayContaining(redIn(report)));
  return later;
}

function redIn({ checks }: Report): string[] {
  return checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id }) => id);
}
