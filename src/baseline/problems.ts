import type { BaselineProblem, CheckReport } from '../contract/report.ts';
import type { Verdict } from '../contract/verdict.ts';
import { type BaselineEntry, isMet, nameOf } from './baseline.ts';

/** Whether an entry no longer holds on a day, both as `2027-01-31` in UTC. */
export function isExpired({ expires }: BaselineEntry, day: string): boolean {
  return expires !== undefined && expires < day;
}

/** What an entry is compared with. */
export interface Compared {
  readonly day: string;
  /** Whether a check that is open rests on a failure that is reported by itself. */
  readonly isReported: (check: CheckReport) => boolean;
}

/** What about an entry tells most, where its checks ended in several ways. */
const TELLING: readonly Verdict[] = ['fail', 'inconclusive', 'pass', 'not-applicable'];

/**
 * Why an entry does not hold, from the checks of a run that it is about; undefined where it holds or nothing can be said:
 * none of them was selected, the harness failed, or they rest on another failure, which is told for itself.
 */
export function problemOf(
  entry: BaselineEntry,
  checks: readonly CheckReport[],
  { day, isReported }: Compared,
): BaselineProblem | undefined {
  if (checks.length === 0) return undefined;
  const name = nameOf(entry);
  const isKnown = checks.some((check) => isMet(entry, check));
  if (isKnown && isExpired(entry, day)) {
    const message = `the entry of ${name} expired on ${entry.expires ?? ''}: repair the host, or extend it with a reason`;
    return { kind: 'expired', name, message };
  }
  const isOpen = checks.some((check) => check.verdict === 'inconclusive' && isReported(check));
  if (isKnown || isOpen || checks.some((check) => check.verdict === 'error')) return undefined;
  const verdict = TELLING.find((each) => checks.some((check) => check.verdict === each));
  const check = checks.find((each) => each.verdict === verdict);
  return check === undefined ? undefined : { name, ...difference(entry, check) };
}

function difference(entry: BaselineEntry, check: CheckReport): Omit<BaselineProblem, 'name'> {
  const { id, verdict, reason, diagnosis } = check;
  const name = nameOf(entry);
  const about = id === name ? name : `${name} (${id})`;
  switch (verdict) {
    case 'fail': {
      if (entry.verdict === 'inconclusive') {
        return { kind: 'fails', message: `${about} fails, and the baseline knows it as inconclusive only` };
      }
      const came = diagnosis === undefined ? 'without a diagnosis' : `with the diagnosis ${diagnosis.code}`;
      return {
        kind: 'other-diagnosis',
        message: `${about} fails ${came}, and the baseline knows it with ${entry.diagnosis ?? 'another'}`,
      };
    }
    case 'inconclusive': {
      const why = reason === undefined ? '' : `: ${reason}`;
      return { kind: 'undecided', message: `${about} is inconclusive, and the baseline knows it as failing${why}` };
    }
    case 'not-applicable':
      return {
        kind: 'not-applicable',
        message: `${about} does not apply any more: take its entry out (baseline prune)`,
      };
    case 'pass':
    case 'error':
      return { kind: 'passes', message: `${about} passes now: take its entry out (baseline prune)` };
  }
}
