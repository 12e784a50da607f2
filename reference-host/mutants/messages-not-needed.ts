import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';

export const messagesNotNeeded: Mutant = {
  id: 'messages-not-needed',
  breaks: 'A request without messages gets a key.',
  kills: ['cache-key.rejects-malformed'],
  parts: ({ validateKeyRequest }) => ({
    validateKeyRequest: (request) =>
      member(request, 'messages') === undefined ? undefined : validateKeyRequest(request),
  }),
};
