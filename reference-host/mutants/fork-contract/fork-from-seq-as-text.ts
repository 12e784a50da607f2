import type { Mutant } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

export const forkFromSeqAsText: Mutant = {
  id: 'fork-from-seq-as-text',
  breaks: 'The answer to a fork tells fromSeq as a text.',
  kills: ['fork.created', 'fork.created.branch'],
  parts: forkAnswered((answer) => ({ ...answer, fromSeq: String(answer['fromSeq']) })),
};
