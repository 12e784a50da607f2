import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysOfReplaysUnredacted: Mutant = {
  id: 'replays-of-replays-unredacted',
  breaks: 'Secrets are redacted of replays, and not of replays of replays.',
  kills: ['privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ ofFork }) => ofFork),
};
