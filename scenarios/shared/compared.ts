import { fail, pass, undecided, type Evidence, type Mistake, type Outcome } from '../../src/contract/outcome.ts';

/** Where two runs part; `restsOn` where another check owns the cause. */
export type Difference = Mistake & { readonly restsOn?: string };

/** What a comparison of two runs gave; `unreadable` where a log holds what cannot be compared. */
export type Compared =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly mismatch: Difference }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A comparison as the outcome of the check that asked for it; `reason` goes with a pass. */
export function outcomeOf(compared: Compared, evidence: Evidence, reason?: string): Outcome {
  switch (compared.kind) {
    case 'same':
      return pass(evidence, reason);
    case 'different':
      return fail(compared.mismatch, evidence);
    case 'unreadable':
      return undecided(compared.reason, evidence);
  }
}

/** A comparison whose difference another check owns, unless one is named already. */
export function ownedBy(check: string, compared: Compared): Compared {
  return compared.kind === 'different' ? { ...compared, mismatch: { restsOn: check, ...compared.mismatch } } : compared;
}
