import type { Mutant } from '../mutant.ts';
import { openForks } from '../shared/open-forks.ts';

export const branchesOpenToAll: Mutant = {
  id: 'branches-open-to-all',
  breaks: 'Whoever knows the id of a branch may read it, fork it and cancel it.',
  kills: ['privacy.same-access-checks.branch'],
  parts: () => ({ middleware: openForks({ mode: 'branch', method: 'any' }) }),
};
