import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInDiff: Mutant = {
  id: 'replays-unredacted-in-diff',
  breaks: 'Comparisons with a replay show secrets.',
  kills: ['privacy.same-redaction.diff', 'privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ surface }) => surface === 'diff'),
};
