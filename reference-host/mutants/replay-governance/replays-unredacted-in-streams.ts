import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInStreams: Mutant = {
  id: 'replays-unredacted-in-streams',
  breaks: 'Event streams of replays show secrets.',
  kills: ['privacy.same-redaction.streams', 'privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ surface }) => surface === 'sse'),
};
