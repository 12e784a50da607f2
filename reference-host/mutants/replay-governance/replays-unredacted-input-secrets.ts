import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInputSecrets: Mutant = {
  id: 'replays-unredacted-input-secrets',
  breaks: 'Secrets among the run inputs are not redacted in replays.',
  kills: ['privacy.same-redaction.events', 'privacy.same-redaction.streams', 'privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ origin }) => origin === 'options'),
};
