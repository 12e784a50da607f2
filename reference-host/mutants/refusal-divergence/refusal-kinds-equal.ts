import type { Mutant } from '../mutant.ts';
import { bothDirections, describing } from '../shared/refusal-parts.ts';

export const refusalKindsEqual: Mutant = {
  id: 'refusal-kinds-equal',
  breaks: "The event names the kind of the replay's envelope twice.",
  kills: [...bothDirections('payload')],
  parts: describing((divergence) => ({ ...divergence, originalEnvelopeKind: divergence.replayEnvelopeKind })),
};
