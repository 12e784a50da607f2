import type { Mutant } from './mutant.ts';
import { byCodeUnit } from './shared/json-writer.ts';
import { writing } from './shared/key-parts.ts';

export const sortStopsAtDepth: Mutant = {
  id: 'sort-stops-at-depth',
  breaks: 'Names deeper than eight levels are not sorted.',
  kills: ['cache-key.reproducible-offline.generated'],
  parts: writing({ names: (names, depth) => (depth > 8 ? names : byCodeUnit(names)) }),
};
