import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const tenantHeaderInKey: Mutant = {
  id: 'tenant-header-in-key',
  breaks: 'A tenant header enters the key.',
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('x-tenant-id'),
};
