import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInLog: Mutant = {
  id: 'replays-unredacted-in-log',
  breaks: 'The JSON log of a replay shows secrets.',
  kills: ['privacy.same-redaction.events', 'privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ surface }) => surface === 'json'),
};
