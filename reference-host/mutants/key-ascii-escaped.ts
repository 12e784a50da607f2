import type { Mutant } from './mutant.ts';
import { wellFormedString } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export const keyAsciiEscaped: Mutant = {
  id: 'key-ascii-escaped',
  breaks: 'Characters beyond ASCII are written as escapes.',
  kills: [...OFFLINE, 'cache-key.jcs-strings'],
  parts: writing({ string: (text) => wellFormedString(text).replaceAll(/[^\x00-\x7f]/g, escaped) }),
};
