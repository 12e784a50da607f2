import type { Mutant } from '../mutant.ts';
import { showing } from '../shared/governance-parts.ts';

export const branchesUnredacted: Mutant = {
  id: 'branches-unredacted',
  breaks: 'Secrets are not redacted of branches.',
  kills: ['privacy.same-redaction.branch'],
  parts: showing(({ run }) => run.fork?.mode === 'branch'),
};
