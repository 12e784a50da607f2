import type { Mutant } from './mutant.ts';
import { createHash } from 'node:crypto';
import { OFFLINE } from './shared/checks.ts';

export const latin1Hashed: Mutant = {
  id: 'latin-1-hashed',
  breaks: 'The text is hashed as Latin-1 instead of UTF-8.',
  kills: [...OFFLINE, 'cache-key.jcs-strings'],
  parts: () => ({ digest: (text) => createHash('sha256').update(text, 'latin1').digest('hex') }),
};
