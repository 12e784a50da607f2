import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const cookieInKey: Mutant = {
  id: 'cookie-in-key',
  breaks: 'Cookies enter the key.',
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('cookie'),
};
