import type { Remedy } from './remedy.ts';

/** What one check says about one requirement (readings.md, Verdicts). */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'not-applicable' | 'error';

/** A named cause of a failed check. */
export interface Diagnosis {
  readonly code: string;
  readonly message: string;
  /** It says what is wrong and not why: each check of a row that shows it is red. Left out of reports. */
  readonly isSymptom?: true;
}

/** A cause as `explain` tells it, and the ids of the requirements that it breaks. */
export interface ExplainedDiagnosis extends Diagnosis {
  readonly breaks: readonly string[];
}

/** What was expected and what came: both name the run, the sequence number, the JSON pointer. */
export interface Mismatch {
  readonly expected: string;
  readonly actual: string;
  /** More about where it was seen. */
  readonly reason?: string;
  readonly diagnosis?: Diagnosis;
  /** Observations whose requests, one after the other, show it again, where the first one alone does not; none where only the scenario does. */
  readonly steps?: readonly string[];
  /** Where it is known to the member: JSON pointers of all that is wrong, `*` for any index, '' for a document as a whole. */
  readonly places?: readonly string[];
  /** Names of rows that cannot be its cause, as they are about what was not done here; with a dot at its end, that of a whole row or group. */
  readonly apart?: readonly string[];
  /** Types of all events in which two logs differ: a failure in logs that hold none of these types is not its cause. */
  readonly differs?: readonly string[];
  /** The same in other runs: one of these stands where the first one rests on another check. */
  readonly further?: readonly (Omit<Mismatch, 'further'> & { readonly evidence: readonly string[] })[];
}

/** One whose mistake has a name. */
export type Mistake = Mismatch & { readonly diagnosis: Diagnosis };

/**
 * What a scenario's judge returns for one of its checks. `evidence` holds ids of observations (`o1`, …) or exchanges
 * (`x1`, …); a pass without any becomes an error. `reason` says why a verdict is not a plain pass or fail, or carries an
 * advisory beside a pass. A failure may name the check whose row it really is: where that check fails in the same run,
 * this one is undecided and rests on it (architecture, Causes).
 */
export interface Judgement extends Partial<Mismatch> {
  readonly check: string;
  readonly verdict: Verdict;
  readonly restsOn?: string;
  /** What somebody can do so that it can be decided: all of it together. */
  readonly remedies?: readonly Remedy[];
  readonly evidence: readonly string[];
}
