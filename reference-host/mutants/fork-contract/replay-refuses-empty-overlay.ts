import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';

export const replayRefusesEmptyOverlay: Mutant = {
  id: 'replay-refuses-empty-overlay',
  breaks: 'A replay with an empty run options overlay is refused.',
  kills: ['fork.replay-refuses-overlay'],
  parts: forking(({ body, send }) =>
    body['mode'] === 'replay' && 'runOptionsOverlay' in body
      ? respond(refusal(400, 'validation_error', 'A replay takes no overlay.'))
      : send(),
  ),
};
