import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedResumeSecrets: Mutant = {
  id: 'replays-unredacted-resume-secrets',
  breaks: 'Secrets in the answer to a question are not redacted in replays.',
  kills: [
    'privacy.same-redaction.events',
    'privacy.same-redaction.streams',
    'privacy.same-redaction.snapshot',
    'privacy.same-redaction.replay-of-replay',
  ],
  parts: showingInReplays(({ origin }) => origin === 'resume'),
};
