import type { Mutant } from '../mutant.ts';
import { openForks } from '../shared/open-forks.ts';

export const replaysOpenToAll: Mutant = {
  id: 'replays-open-to-all',
  breaks: 'Whoever knows the id of a replay may read it, fork it and cancel it.',
  kills: ['privacy.same-access-checks', 'privacy.same-access-checks.indistinguishable'],
  parts: () => ({ middleware: openForks({ mode: 'replay', method: 'any' }) }),
};
