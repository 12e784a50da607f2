import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';

export const forkBadModeUnprocessable: Mutant = {
  id: 'fork-bad-mode-unprocessable',
  breaks: 'An unknown mode is refused with 422.',
  kills: ['fork.rejects-bad-mode'],
  parts: forking(({ body, send }) =>
    body['mode'] === 'rewind' ? respond(refusal(422, 'unknown_mode', 'There is no such mode.')) : send(),
  ),
};
