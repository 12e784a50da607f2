import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

export const keyCodePointOrder: Mutant = {
  id: 'key-code-point-order',
  breaks: 'Object names are sorted by their UTF-8 bytes.',
  kills: [...OFFLINE, 'cache-key.jcs-key-order'],
  parts: writing({ names: (names) => names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))) }),
};
