import type { Judgement } from '../../src/contract/verdict.ts';
import type { Difference } from '../shared/compared.ts';

/** What one run says about a check; a judgement needs all of them. */
export type Outcome =
  | { readonly kind: 'pass'; readonly evidence: readonly string[]; readonly note?: string | undefined }
  | ({ readonly kind: 'fail'; readonly evidence: readonly string[]; readonly restsOn?: string } & Difference)
  | { readonly kind: 'open'; readonly evidence: readonly string[]; readonly reason: string };

/**
 * One judgement from all runs that could be driven: it fails where one of them fails and passes where at least one does.
 * What could not be driven stands in the reason either way.
 */
export function settle(check: string, outcomes: readonly Outcome[]): Judgement {
  const evidence = [...new Set(outcomes.flatMap((outcome) => outcome.evidence))];
  const failures = outcomes.filter((outcome) => outcome.kind === 'fail');
  const failed = failures.find(({ restsOn }) => restsOn === undefined) ?? failures[0];
  if (failed !== undefined) {
    const { kind: _, ...mismatch } = failed;
    return { check, verdict: 'fail', ...mismatch };
  }
  const reasons = outcomes.flatMap((outcome) => (outcome.kind === 'open' ? [outcome.reason] : []));
  if (!outcomes.some(({ kind }) => kind === 'pass')) {
    const reason = [...new Set(reasons)].join('; ');
    return { check, verdict: 'inconclusive', reason: reason === '' ? 'nothing was driven' : reason, evidence };
  }
  const notes = outcomes.flatMap((outcome) => (outcome.kind === 'pass' ? (outcome.note ?? []) : []));
  const said = [...new Set([...notes, ...reasons.map((reason) => `not seen: ${reason}`)])];
  return { check, verdict: 'pass', ...(said.length === 0 ? {} : { reason: said.join('; ') }), evidence };
}
