import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

export const keyIntegerKeysFirst: Mutant = {
  id: 'key-integer-keys-first',
  breaks: 'Sorted names are put back into an object, which lists integer-like names first.',
  kills: [...OFFLINE, 'cache-key.jcs-key-order'],
  parts: writing({ names: (names) => Object.keys(Object.fromEntries(names.toSorted().map((name) => [name, true]))) }),
};
