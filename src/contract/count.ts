import type { Counts } from './report.ts';
import type { Verdict } from './verdict.ts';

/** How many checks gave each verdict; a word that is none counts nowhere. */
export function count(verdicts: readonly string[]): Counts {
  const of = (verdict: Verdict): number => verdicts.filter((each) => each === verdict).length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    inconclusive: of('inconclusive'),
    notApplicable: of('not-applicable'),
    error: of('error'),
  };
}
