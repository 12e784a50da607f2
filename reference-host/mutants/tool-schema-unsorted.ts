import type { Mutant } from './mutant.ts';
import { byCodeUnit } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

export const toolSchemaUnsorted: Mutant = {
  id: 'tool-schema-unsorted',
  breaks: 'Names inside the parameters of a tool are not sorted.',
  kills: [...OFFLINE, 'cache-key.canonical-tool-schema'],
  parts: writing({ names: (names, depth) => (depth > 2 ? names : byCodeUnit(names)) }),
};
