import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, withList } from './shared/key-parts.ts';

export const keyMessagesReordered: Mutant = {
  id: 'key-messages-reordered',
  breaks: 'Messages are hashed newest first.',
  kills: [...OFFLINE, 'cache-key.preserves-message-order'],
  parts: projecting((projected) => withList(projected, 'messages', (messages) => messages.toReversed())),
};
