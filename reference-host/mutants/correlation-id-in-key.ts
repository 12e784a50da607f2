import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const correlationIdInKey: Mutant = {
  id: 'correlation-id-in-key',
  breaks: 'A correlation id enters the key.',
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('x-correlation-id'),
};
