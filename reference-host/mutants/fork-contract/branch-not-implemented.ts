import type { Mutant } from '../mutant.ts';
import { refusal, respond } from '../../http/answers.ts';
import { forking } from '../shared/fork-parts.ts';

export const branchNotImplemented: Mutant = {
  id: 'branch-not-implemented',
  breaks: 'Branches are advertised and answered with 501.',
  kills: [
    'fork.created.branch',
    'fork.branch-applies-overlay',
    'fork.branch-applies-overlay.projected-state',
    'fork.branch-inherits-prefix',
    'fork.branch-is-independent',
    'fork.branch-needs-from-seq',
    'fork.error-envelope.branch',
    'fork.source-untouched.branch',
  ],
  parts: forking(({ body, send }) =>
    body['mode'] === 'branch' ? respond(refusal(501, 'not_implemented', 'Not yet.')) : send(),
  ),
};
