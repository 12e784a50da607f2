import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

/** Unknown members inside of messages and tools enter the key. */
export const unknownMembersHashed: Variant = {
  id: 'unknown-members-hashed',
  parts: ({ projectRequest }) => ({
    projectRequest: (request) => ({
      ...projectRequest(request),
      messages: member(request, 'messages'),
    }),
  }),
};
