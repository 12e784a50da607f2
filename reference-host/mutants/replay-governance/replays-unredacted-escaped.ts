import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedEscaped: Mutant = {
  id: 'replays-unredacted-escaped',
  breaks: 'Secrets in JSON inside texts are not found in replays.',
  kills: ['privacy.same-redaction.errors'],
  parts: showingInReplays(({ spelling }) => spelling === 'json'),
};
