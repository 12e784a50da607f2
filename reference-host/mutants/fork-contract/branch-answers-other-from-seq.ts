import type { Mutant } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';

export const branchAnswersOtherFromSeq: Mutant = {
  id: 'branch-answers-other-from-seq',
  breaks: 'The answer to a branch says that it starts one event earlier.',
  kills: ['fork.created.branch'],
  parts: forkAnswered((answer, { body }) =>
    body['mode'] === 'branch' ? { ...answer, fromSeq: Number(answer['fromSeq']) - 1 } : answer,
  ),
};
