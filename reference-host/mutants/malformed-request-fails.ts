import type { Mutant } from './mutant.ts';

export const malformedRequestFails: Mutant = {
  id: 'malformed-request-fails',
  breaks: 'A request without its required fields makes the host fail with a 500.',
  kills: ['cache-key.rejects-malformed'],
  parts: ({ validateKeyRequest }) => ({
    validateKeyRequest: (request) => {
      const problem = validateKeyRequest(request);
      if (problem !== undefined) throw new TypeError(problem);
      return undefined;
    },
  }),
};
