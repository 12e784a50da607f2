import type { Mutant } from './mutant.ts';
import { writing } from './shared/key-parts.ts';

export const keyUtf8Replacement: Mutant = {
  id: 'key-utf8-replacement',
  breaks: 'A lone surrogate is replaced by U+FFFD and hashed.',
  kills: ['cache-key.rejects-non-json-values'],
  parts: writing({ string: (text) => JSON.stringify(text.toWellFormed()) }),
};
