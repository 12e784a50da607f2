import { remediesIn, type Remedy } from './remedy.ts';
import { present } from './present.ts';
import type { Mismatch, Mistake } from './verdict.ts';

export type { Mismatch, Mistake };

/** The requirement holds; `reason` says how much was seen, or carries advice. */
export interface Pass {
  readonly kind: 'pass';
  readonly reason?: string;
  readonly evidence: readonly string[];
}

/** The requirement is broken. */
export interface Fail extends Mistake {
  readonly kind: 'fail';
  readonly evidence: readonly string[];
}

/** Nobody saw enough; `reason` says what was missing, and what to expose. */
export interface Undecided {
  readonly kind: 'undecided';
  readonly reason: string;
  readonly evidence: readonly string[];
  /** What somebody can do about it: all of it together. */
  readonly remedies?: readonly Remedy[];
}

/**
 * The cause belongs to another check or requirement, `on`: where that one fails in the same run, this check is undecided and listed under
 * it (architecture, Causes). Where it does not fail, `otherwise` stands: nothing is hidden.
 */
export interface Rests {
  readonly kind: 'rests';
  readonly on: string;
  readonly otherwise: Fail | Undecided | NotApplicable;
}

/** The requirement asks nothing of this host; `reason` says what it does not offer or do. */
export interface NotApplicable {
  readonly kind: 'not-applicable';
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** What a check's judge says. The runner adds the check, its requirement and its level. */
export type Outcome = Pass | Fail | Undecided | Rests | NotApplicable;

/** Observations, or their ids (`o1`, …), or ids of exchanges (`x1`, …). */
export type Evidence = readonly (string | { readonly id: string })[];

/** A pass needs evidence: without any the runner makes it an error. */
export function pass(evidence: Evidence, reason?: string): Pass {
  return { kind: 'pass', ...(reason === undefined ? {} : { reason }), evidence: idsOf(evidence) };
}

/** What a judge says of a failure: the name of the mistake, always; a member that is undefined is not said; `restsOn` is the check that owns the cause. */
type Failing = Pick<Mistake, Said> & {
  readonly [Name in Exclude<keyof Mistake, Said>]?: Mistake[Name] | undefined;
} & { readonly restsOn?: string | undefined };

type Said = 'expected' | 'actual' | 'diagnosis';

/** A failure; one whose cause belongs to the check `restsOn` rests on it. */
export function fail(
  { restsOn, reason, steps, places, apart, differs, further, ...rest }: Failing,
  evidence: Evidence,
): Fail | Rests {
  const failure: Fail = {
    kind: 'fail',
    ...rest,
    ...present({ reason, steps, places, apart, differs, further }),
    evidence: idsOf(evidence),
  };
  return restsOn === undefined ? failure : rests(restsOn, failure);
}

/** `remedies` is what somebody can do about it, all of it together; where absent, what the reason says by itself. */
export function undecided(
  reason: string,
  evidence: Evidence,
  remedies: readonly Remedy[] = remediesIn(reason),
): Undecided {
  return { kind: 'undecided', reason, evidence: idsOf(evidence), ...(remedies.length === 0 ? {} : { remedies }) };
}

/** The same, with what somebody can do about it in the imperative, which ends the reason. */
export function undecidedUntil(step: string, reason: string, evidence: Evidence): Undecided {
  return undecided(`${reason}: ${step}`, evidence, [{ step }]);
}

export function notApplicable(reason: string, evidence: Evidence): NotApplicable {
  return { kind: 'not-applicable', reason, evidence: idsOf(evidence) };
}

/** The outcome as one whose cause belongs to the check `on`. */
export function rests(on: string, otherwise: Rests['otherwise']): Rests {
  return { kind: 'rests', on, otherwise };
}

/** Whether a value is an outcome: what a judge has left where it did not get what it needs. */
export function isOutcome(value: object): value is Outcome {
  return 'kind' in value && typeof value.kind === 'string' && KINDS.has(value.kind);
}

const KINDS: ReadonlySet<string> = new Set([
  'pass',
  'fail',
  'undecided',
  'rests',
  'not-applicable',
] satisfies readonly Outcome['kind'][]);

/** The ids of evidence, each once: of what a verdict stands on, or of the steps that show a failure again. */
export function idsOf(evidence: Evidence): readonly string[] {
  return [...new Set(evidence.map((each) => (typeof each === 'string' ? each : each.id)))];
}
