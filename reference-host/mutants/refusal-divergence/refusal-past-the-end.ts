import type { Mutant } from '../mutant.ts';
import { bothDirections, describing } from '../shared/refusal-parts.ts';

export const refusalPastTheEnd: Mutant = {
  id: 'refusal-past-the-end',
  breaks: 'The event points at a sequence number that neither log has.',
  kills: [...bothDirections('locates-the-call')],
  parts: describing((divergence) => ({ ...divergence, atSequence: divergence.atSequence + 1_000_000 })),
};
