import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying, sha256 } from './shared/key-parts.ts';

export const keyTenantInKey: Mutant = {
  id: 'key-tenant-in-key',
  breaks: 'The tenant enters the key.',
  kills: [...OFFLINE, 'cache-key.excludes-transport', 'cache-key.not-a-security-boundary.same-key'],
  parts: keying((key, { tenant }) => sha256(`${tenant}:${key}`)),
};
