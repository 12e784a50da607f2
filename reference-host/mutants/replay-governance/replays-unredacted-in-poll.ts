import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInPoll: Mutant = {
  id: 'replays-unredacted-in-poll',
  breaks: 'The poll of a replay shows secrets.',
  kills: ['privacy.same-redaction.events', 'privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ surface }) => surface === 'poll'),
};
