import type { Mutant } from '../mutant.ts';
import { bothDirections, withoutMember } from '../shared/refusal-parts.ts';

export const refusalWithoutReplayKind: Mutant = {
  id: 'refusal-without-replay-kind',
  breaks: 'The event has no replayEnvelopeKind.',
  kills: [...bothDirections('payload')],
  parts: withoutMember('replayEnvelopeKind'),
};
