import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, withList } from './shared/key-parts.ts';

export const keySystemIgnored: Mutant = {
  id: 'key-system-ignored',
  breaks: 'System messages are left out of the key.',
  kills: [...OFFLINE, 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) =>
    withList(projected, 'messages', (messages) => messages.filter((message) => member(message, 'role') !== 'system')),
  ),
};
