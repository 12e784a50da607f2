import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredacted: Mutant = {
  id: 'replays-unredacted',
  breaks: 'Secrets are redacted of originals only, not of replays.',
  kills: [
    'privacy.same-redaction.events',
    'privacy.same-redaction.streams',
    'privacy.same-redaction.snapshot',
    'privacy.same-redaction.diff',
    'privacy.same-redaction.replay-of-replay',
    'privacy.same-redaction.errors',
  ],
  parts: showingInReplays(),
};
