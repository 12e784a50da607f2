import type { Mutant } from '../mutant.ts';
import { bothDirections } from '../shared/refusal-parts.ts';

export const refusalTextAsReason: Mutant = {
  id: 'refusal-text-as-reason',
  breaks: "The event gives the provider's own words as the reason.",
  kills: [...bothDirections('reason-redacted')],
  parts: ({ refusal }) => ({ refusal: { ...refusal, reason: (text) => text } }),
};
