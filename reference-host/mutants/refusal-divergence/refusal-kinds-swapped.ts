import type { Mutant } from '../mutant.ts';
import { bothDirections, describing } from '../shared/refusal-parts.ts';

export const refusalKindsSwapped: Mutant = {
  id: 'refusal-kinds-swapped',
  breaks: 'The event names the two kinds of envelope the wrong way round.',
  kills: [...bothDirections('payload')],
  parts: describing((divergence) => ({
    ...divergence,
    originalEnvelopeKind: divergence.replayEnvelopeKind,
    replayEnvelopeKind: divergence.originalEnvelopeKind,
  })),
};
