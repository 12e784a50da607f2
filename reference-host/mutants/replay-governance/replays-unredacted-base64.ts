import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedBase64: Mutant = {
  id: 'replays-unredacted-base64',
  breaks: 'Secrets in base64 are not found in replays.',
  kills: [
    'privacy.same-redaction.events',
    'privacy.same-redaction.streams',
    'privacy.same-redaction.snapshot',
    'privacy.same-redaction.replay-of-replay',
  ],
  parts: showingInReplays(({ spelling }) => spelling === 'base64'),
};
