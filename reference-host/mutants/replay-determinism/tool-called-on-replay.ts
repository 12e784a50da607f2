import { onReplayOf } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const toolCalledOnReplay: Mutant = {
  id: 'tool-called-on-replay',
  breaks: 'A replay calls tools again.',
  kills: [
    'replay.no-second-external-call',
    'replay.no-second-external-call.replay-of-replay',
    'replay.no-second-external-call.cached-response',
    'sequence.nondeterministic-tool',
    'once.verification-strict',
  ],
  parts: onReplayOf('core.tool.http', () => undefined),
};
