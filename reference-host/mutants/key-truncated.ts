import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { keying } from './shared/key-parts.ts';

export const keyTruncated: Mutant = {
  id: 'key-truncated',
  breaks: 'Only the first half of the digest is kept.',
  kills: [...OFFLINE, 'cache-key.lowercase-hex'],
  parts: keying((key) => key.slice(0, 32)),
};
