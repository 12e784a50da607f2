import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { headerInKey } from './shared/key-parts.ts';

export const userAgentInKey: Mutant = {
  id: 'user-agent-in-key',
  breaks: "The caller's user agent enters the key.",
  kills: [...OFFLINE, 'cache-key.excludes-transport'],
  parts: headerInKey('user-agent'),
};
