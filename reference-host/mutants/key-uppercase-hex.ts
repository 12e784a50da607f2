import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying } from './shared/key-parts.ts';

export const keyUppercaseHex: Mutant = {
  id: 'key-uppercase-hex',
  breaks: 'The key is written in upper-case hexadecimal.',
  kills: [...OFFLINE, 'cache-key.lowercase-hex'],
  parts: keying((key) => key.toUpperCase()),
};
