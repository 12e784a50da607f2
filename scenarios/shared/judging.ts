import type { Judgement } from '../../src/contract/verdict.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { Difference } from './compared.ts';
import type { RunObservation } from './run-observation.ts';

export type SeenRun = Recorded<RunObservation>;

/** The ids of observations, as evidence. */
function ids(observations: readonly { readonly id: string }[]): readonly string[] {
  return observations.map(({ id }) => id);
}

export function undecided(check: string, reason: string, evidence: readonly { readonly id: string }[]): Judgement {
  return { check, verdict: 'inconclusive', reason, evidence: ids(evidence) };
}

export function failing(check: string, mismatch: Difference, evidence: readonly { readonly id: string }[]): Judgement {
  return { check, verdict: 'fail', ...mismatch, evidence: ids(evidence) };
}

export function passing(check: string, evidence: readonly { readonly id: string }[], reason?: string): Judgement {
  return { check, verdict: 'pass', ...(reason === undefined ? {} : { reason }), evidence: ids(evidence) };
}

/** The runs that were recorded, in the order in which they were driven. */
export function runsOf(
  observations: readonly Recorded<{ readonly type: string; readonly exchanges: readonly string[] }>[],
): readonly SeenRun[] {
  return observations.filter((each): each is SeenRun => each.type === 'run');
}
