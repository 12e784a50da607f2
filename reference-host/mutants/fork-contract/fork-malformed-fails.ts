import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { parseJson } from '../../json.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkMalformedFails: Mutant = {
  id: 'fork-malformed-fails',
  breaks: 'A body that is not JSON makes the fork endpoint stumble.',
  kills: ['fork.rejects-malformed-body'],
  parts: forking(({ text, send }) =>
    parseJson(text).ok ? send() : respond(refusal(500, 'internal_error', 'Something went wrong.')),
  ),
};
