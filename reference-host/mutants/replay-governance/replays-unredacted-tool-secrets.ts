import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedToolSecrets: Mutant = {
  id: 'replays-unredacted-tool-secrets',
  breaks: 'Secrets that a tool answered are not redacted in replays.',
  kills: [
    'privacy.same-redaction.events',
    'privacy.same-redaction.streams',
    'privacy.same-redaction.snapshot',
    'privacy.same-redaction.replay-of-replay',
  ],
  parts: showingInReplays(({ origin }) => origin === 'tool'),
};
