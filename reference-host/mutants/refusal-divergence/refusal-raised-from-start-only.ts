import type { Mutant } from '../mutant.ts';
import { BOTH_CONTRACTS, raising } from '../shared/refusal-parts.ts';

export const refusalRaisedFromStartOnly: Mutant = {
  id: 'refusal-raised-from-start-only',
  breaks: 'Only replays from the start say that they met the other kind of envelope.',
  kills: [...BOTH_CONTRACTS],
  parts: raising((raised, { run }) => ((run.fork?.fromSeq ?? 0) > 0 ? [] : [raised])),
};
