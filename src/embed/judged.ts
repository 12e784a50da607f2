import { applyBaseline, whyUncompared } from '../baseline/apply.ts';
import type { Deciding } from '../baseline/apply.ts';
import type { CheckReport, Report } from '../contract/report.ts';

/** Why a run says too little for tests that are not red to mean anything; undefined where it says enough. */
export function whyUnjudged(report: Report): string | undefined {
  const { preflight, counts, checks, lost } = report;
  if (preflight !== undefined) return preflight.message;
  const why = whyUncompared(report);
  if (why !== undefined) return why;
  if (lost !== undefined) return `lost: ${lost.join('; ')}`;
  if (counts.pass + counts.fail > 0) return undefined;
  const reasons = new Set(checks.map(({ reason }) => reason).filter((reason) => reason !== undefined));
  return `nothing was decided: ${[...reasons].slice(0, SHOWN).join('; ') || 'no check was judged'}`;
}

/** Reasons that a message gives. */
const SHOWN = 3;

/** The checks of these ids that do not fail any more, each with what is so instead, as a baseline that knows them as failing has it. */
export function outdatedAmong(
  known: readonly string[],
  report: Report,
  deciding: Deciding,
): ReadonlyMap<string, string> {
  const entries = known.map((check) => ({ check, verdict: 'fail' }) as const);
  const { baseline, checks } = applyBaseline(report, { baselineVersion: 1, known: entries, decided: [] }, deciding);
  const names = new Set(baseline?.problems.map(({ name }) => name));
  const isOutdated = ({ id, verdict }: CheckReport): boolean =>
    names.has(id) || (verdict === 'error' && known.includes(id));
  return new Map(checks.filter(isOutdated).map((check) => [check.id, instead(check)]));
}

function instead({ id, verdict, reason }: CheckReport): string {
  if (verdict === 'pass') return `${id} passes now: take it out of known`;
  return `${id} is ${verdict}, and known has it as failing${reason === undefined ? '' : `: ${reason}`}`;
}
