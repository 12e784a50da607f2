import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying } from './shared/key-parts.ts';

export const lineEndAfterKey: Mutant = {
  id: 'line-end-after-key',
  breaks: 'A line feed stands after the key.',
  kills: [...OFFLINE, 'cache-key.lowercase-hex'],
  parts: keying((key) => `${key}\n`),
};
