import type { Mutant } from './mutant.ts';
import { byCodeUnit } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

export const keyShallowSort: Mutant = {
  id: 'key-shallow-sort',
  breaks: 'Only the names of the outermost object are sorted.',
  kills: [...OFFLINE, 'cache-key.jcs-key-order', 'cache-key.canonical-tool-schema'],
  parts: writing({ names: (names, depth) => (depth === 0 ? byCodeUnit(names) : names) }),
};
