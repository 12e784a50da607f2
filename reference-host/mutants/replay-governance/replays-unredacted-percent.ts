import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedPercent: Mutant = {
  id: 'replays-unredacted-percent',
  breaks: 'Percent-encoded secrets are not found in replays.',
  kills: [
    'privacy.same-redaction.events',
    'privacy.same-redaction.streams',
    'privacy.same-redaction.snapshot',
    'privacy.same-redaction.replay-of-replay',
  ],
  parts: showingInReplays(({ spelling }) => spelling === 'percent'),
};
