import type { Mutant } from '../mutant.ts';
import { bothDirections, describing } from '../shared/refusal-parts.ts';

function named(kind: string): string {
  return kind === 'valid' ? 'ok' : kind;
}

export const refusalKindMisnamed: Mutant = {
  id: 'refusal-kind-misnamed',
  breaks: 'The event calls a valid envelope `ok`.',
  kills: [...bothDirections('payload')],
  parts: describing((divergence) => ({
    ...divergence,
    originalEnvelopeKind: named(divergence.originalEnvelopeKind),
    replayEnvelopeKind: named(divergence.replayEnvelopeKind),
  })),
};
