import type { Mutant } from './mutant.ts';
import { wellFormedString } from './shared/json-writer.ts';
import { writing } from './shared/key-parts.ts';

export const deleteEscaped: Mutant = {
  id: 'delete-escaped',
  breaks: 'U+007F is written as an escape.',
  kills: ['cache-key.jcs-strings'],
  parts: writing({ string: (text) => wellFormedString(text).replaceAll('\x7f', '\\u007f') }),
};
