import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInSnapshot: Mutant = {
  id: 'replays-unredacted-in-snapshot',
  breaks: 'The snapshot of a replay shows secrets.',
  kills: ['privacy.same-redaction.snapshot', 'privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ surface }) => surface === 'snapshot'),
};
