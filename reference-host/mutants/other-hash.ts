import type { Mutant } from './mutant.ts';
import { createHash } from 'node:crypto';
import { OFFLINE } from './shared/checks.ts';

export const otherHash: Mutant = {
  id: 'other-hash',
  breaks: 'The text is hashed with SHA-512 and the key is its first half.',
  kills: [...OFFLINE],
  parts: () => ({ digest: (text) => createHash('sha512').update(text, 'utf8').digest('hex').slice(0, 64) }),
};
