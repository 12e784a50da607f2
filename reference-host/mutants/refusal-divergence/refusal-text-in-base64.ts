import type { Mutant } from '../mutant.ts';
import { bothDirections } from '../shared/refusal-parts.ts';

export const refusalTextInBase64: Mutant = {
  id: 'refusal-text-in-base64',
  breaks: "The event gives the provider's own words in base64.",
  kills: [...bothDirections('reason-redacted')],
  parts: ({ refusal }) => ({
    refusal: { ...refusal, reason: (text) => (text === undefined ? text : Buffer.from(text).toString('base64')) },
  }),
};
