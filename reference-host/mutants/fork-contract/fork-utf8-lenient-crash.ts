import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkUtf8LenientCrash: Mutant = {
  id: 'fork-utf8-lenient-crash',
  breaks: 'Bytes that are no UTF-8 make the fork endpoint stumble.',
  kills: ['fork.rejects-malformed-body'],
  parts: forking(({ text, send }) =>
    text.includes('\ufffd') ? respond(refusal(500, 'internal_error', 'Something went wrong.')) : send(),
  ),
};
