import type { Mutant } from './mutant.ts';
import { wellFormedString } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

export const slashEscaped: Mutant = {
  id: 'slash-escaped',
  breaks: 'A slash is written as an escape.',
  kills: [...OFFLINE, 'cache-key.jcs-strings'],
  parts: writing({ string: (text) => wellFormedString(text).replaceAll('/', '\\/') }),
};
