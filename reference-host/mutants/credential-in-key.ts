import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { headerInKey } from './shared/key-parts.ts';

export const credentialInKey: Mutant = {
  id: 'credential-in-key',
  breaks: 'The credential enters the key.',
  kills: [...OFFLINE, 'cache-key.excludes-transport', 'cache-key.not-a-security-boundary.same-key'],
  parts: headerInKey('authorization'),
};
