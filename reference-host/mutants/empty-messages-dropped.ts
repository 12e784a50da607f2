import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, withList } from './shared/key-parts.ts';

export const emptyMessagesDropped: Mutant = {
  id: 'empty-messages-dropped',
  breaks: 'Messages with empty content are left out of the key.',
  kills: [...OFFLINE, 'cache-key.preserves-content-shape'],
  parts: projecting((projected) =>
    withList(projected, 'messages', (messages) => messages.filter((message) => member(message, 'content') !== '')),
  ),
};
