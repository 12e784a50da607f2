import type { Mutant } from './mutant.ts';

export const malformedRequestAccepted: Mutant = {
  id: 'malformed-request-accepted',
  breaks: 'A request without its required fields gets a key.',
  kills: ['cache-key.rejects-malformed'],
  parts: () => ({ validateKeyRequest: () => undefined }),
};
