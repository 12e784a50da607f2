import type { Mutant } from './mutant.ts';
import { writing } from './shared/key-parts.ts';

export const keyProtoKeyDropped: Mutant = {
  id: 'key-proto-key-dropped',
  breaks: 'A member called __proto__ gets lost.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.jcs-key-order'],
  parts: writing({ names: (names) => names.filter((name) => name !== '__proto__').toSorted() }),
};
