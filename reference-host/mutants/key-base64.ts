import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying } from './shared/key-parts.ts';

export const keyBase64: Mutant = {
  id: 'key-base64',
  breaks: 'The key is written in base64.',
  kills: [...OFFLINE, 'cache-key.lowercase-hex'],
  parts: keying((key) => Buffer.from(key, 'hex').toString('base64')),
};
