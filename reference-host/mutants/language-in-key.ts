import type { Mutant } from './mutant.ts';
import { headerInKey } from './shared/key-parts.ts';

export const languageInKey: Mutant = {
  id: 'language-in-key',
  breaks: "The caller's language enters the key.",
  kills: ['cache-key.excludes-transport'],
  parts: headerInKey('accept-language'),
};
