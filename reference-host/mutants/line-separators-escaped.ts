import type { Mutant } from './mutant.ts';
import { wellFormedString } from './shared/json-writer.ts';
import { writing } from './shared/key-parts.ts';

export const lineSeparatorsEscaped: Mutant = {
  id: 'line-separators-escaped',
  breaks: 'U+2028 and U+2029 are written as escapes.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.jcs-strings'],
  parts: writing({
    string: (text) => wellFormedString(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'),
  }),
};
