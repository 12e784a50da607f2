import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, withList } from './shared/key-parts.ts';

export const keyLastMessageOnly: Mutant = {
  id: 'key-last-message-only',
  breaks: 'Only the last message enters the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields', 'cache-key.preserves-message-order'],
  parts: projecting((projected) => withList(projected, 'messages', (messages) => messages.slice(-1))),
};
