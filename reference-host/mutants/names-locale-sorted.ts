import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

const ENGLISH = new Intl.Collator('en');

export const namesLocaleSorted: Mutant = {
  id: 'names-locale-sorted',
  breaks: "Object names are sorted by a language's rules.",
  kills: [...OFFLINE, 'cache-key.jcs-key-order'],
  parts: writing({ names: (names) => names.toSorted(ENGLISH.compare) }),
};
