import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';

export const replayRefusesOverlayLate: Mutant = {
  id: 'replay-refuses-overlay-late',
  breaks: 'A replay with a run options overlay is refused with 422.',
  kills: ['fork.replay-refuses-overlay'],
  parts: forking(({ body, send }) =>
    body['mode'] === 'replay' && Object.keys(Object(body['runOptionsOverlay'])).length > 0
      ? respond(refusal(422, 'overlay_not_allowed', 'A replay takes no overlay.'))
      : send(),
  ),
};
