import type { Mutant } from '../mutant.ts';
import { openForks } from '../shared/open-forks.ts';

export const replaysReadableByAll: Mutant = {
  id: 'replays-readable-by-all',
  breaks: 'Whoever knows the id of a replay may read it.',
  kills: ['privacy.same-access-checks'],
  parts: () => ({ middleware: openForks({ mode: 'replay', method: 'GET' }) }),
};
