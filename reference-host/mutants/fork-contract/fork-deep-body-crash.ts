import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkDeepBodyCrash: Mutant = {
  id: 'fork-deep-body-crash',
  breaks: 'A deeply nested body makes the fork endpoint stumble.',
  kills: ['fork.rejects-malformed-body'],
  parts: forking(({ text, send }) =>
    text.startsWith('[[[[') ? respond(refusal(500, 'internal_error', 'Something went wrong.')) : send(),
  ),
};
