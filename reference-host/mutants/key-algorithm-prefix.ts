import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying } from './shared/key-parts.ts';

export const keyAlgorithmPrefix: Mutant = {
  id: 'key-algorithm-prefix',
  breaks: 'The name of the hash stands before the digest.',
  kills: [...OFFLINE, 'cache-key.lowercase-hex'],
  parts: keying((key) => `sha256:${key}`),
};
