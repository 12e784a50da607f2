import type { Report } from '../src/contract/report.ts';

/**
 * The report of a run within the first of these limits, in milliseconds, in which all is seen that is waited for; or within the last of
 * them: where something hangs, a short one is enough, and where the machine is busy, it may be over before anything came.
 */
export async function within(
  [limit = 0, ...longer]: readonly number[],
  run: (timeoutMs: number) => Promise<Report>,
  isSeen: (report: Report) => boolean,
): Promise<Report> {
  const report = await run(limit);
  return longer.length === 0 || isSeen(report) ? report : within(longer, run, isSeen);
}
