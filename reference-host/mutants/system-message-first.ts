import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { projecting, withList } from './shared/key-parts.ts';

function place(message: unknown): number {
  return member(message, 'role') === 'system' ? 0 : 1;
}

export const systemMessageFirst: Mutant = {
  id: 'system-message-first',
  breaks: 'System messages are moved to the front.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-message-order'],
  parts: projecting((projected) =>
    withList(projected, 'messages', (messages) => messages.toSorted((a, b) => place(a) - place(b))),
  ),
};
