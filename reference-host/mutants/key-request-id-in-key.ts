import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const keyRequestIdInKey: Mutant = {
  id: 'key-request-id-in-key',
  breaks: 'The request id enters the key.',
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('x-request-id'),
};
