import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInErrors: Mutant = {
  id: 'replays-unredacted-in-errors',
  breaks: 'The error of a failed replay shows secrets.',
  kills: ['privacy.same-redaction.errors'],
  parts: showingInReplays(({ surface }) => surface === 'error'),
};
