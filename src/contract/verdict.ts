import type { Remedy } from './remedy.ts';

/** What one check says about one requirement (readings.md, Verdicts). */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'not-applicable' | 'error';

/** A named cause of a failed check. */
export interface Diagnosis {
  readonly code: string;
  readonly message: string;
}

/** A cause as `explain` tells it, and the ids of the requirements that it breaks. */
export interface ExplainedDiagnosis extends Diagnosis {
  readonly breaks: readonly string[];
}

/**
 * What a scenario's judge returns for one of its checks. `evidence` holds ids of observations (`o1`, …) or exchanges
 * (`x1`, …); a pass without any becomes an error. `reason` says why a verdict is not a plain pass or fail, or carries an
 * advisory beside a pass. A failure may name the check whose row it really is: where that check fails in the same run,
 * this one is undecided and rests on it (architecture, Causes).
 */
export interface Judgement {
  readonly check: string;
  readonly verdict: Verdict;
  readonly expected?: string;
  readonly actual?: string;
  /** Where it is known to the member: JSON pointers of all that is wrong, `*` for any index. */
  readonly places?: readonly string[];
  readonly reason?: string;
  readonly diagnosis?: Diagnosis;
  readonly restsOn?: string;
  /** What somebody can do so that it can be decided: all of it together. */
  readonly remedies?: readonly Remedy[];
  readonly evidence: readonly string[];
  /** Lines of evidence whose requests, one after the other, show the failure again; the first line alone where absent. */
  readonly steps?: readonly string[];
}
