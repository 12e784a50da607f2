import type { Judgement } from '../../src/contract/verdict.ts';

/** Where two runs part, in the words of a judgement. */
export type Mismatch = Pick<Judgement, 'expected' | 'actual' | 'reason' | 'diagnosis' | 'restsOn'>;

/** What a comparison of two runs gave; `unreadable` where a log holds what cannot be compared. */
export type Compared =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly mismatch: Mismatch }
  | { readonly kind: 'unreadable'; readonly reason: string };
