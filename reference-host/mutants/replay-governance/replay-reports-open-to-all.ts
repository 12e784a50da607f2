import type { Mutant } from '../mutant.ts';
import { openForks } from '../shared/open-forks.ts';

export const replayReportsOpenToAll: Mutant = {
  id: 'replay-reports-open-to-all',
  breaks: 'Whoever knows the id of a replay may read its determinism report.',
  kills: ['privacy.same-access-checks'],
  parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET', ending: '/determinism' }) }),
};
