import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const idempotencyKeyInKey: Mutant = {
  id: 'idempotency-key-in-key',
  breaks: 'The Idempotency-Key enters the key.',
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('idempotency-key'),
};
