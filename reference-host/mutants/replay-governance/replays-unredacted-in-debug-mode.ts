import type { Mutant } from '../mutant.ts';
import { showingInReplays } from '../shared/governance-parts.ts';

export const replaysUnredactedInDebugMode: Mutant = {
  id: 'replays-unredacted-in-debug-mode',
  breaks: 'The debug stream of a replay shows secrets.',
  kills: ['privacy.same-redaction.streams', 'privacy.same-redaction.replay-of-replay'],
  parts: showingInReplays(({ surface, streamMode }) => surface === 'sse' && streamMode === 'debug'),
};
