import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { headerInKey } from './shared/key-parts.ts';

export const connectionInKey: Mutant = {
  id: 'connection-in-key',
  breaks: 'The kind of the connection enters the key.',
  kills: [...OFFLINE, 'cache-key.excludes-transport'],
  parts: headerInKey('connection'),
};
