import type { Mutant } from './mutant.ts';
import { wellFormedString } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

function htmlEscaped(unit: string): string {
  return `\\u00${unit.charCodeAt(0).toString(16)}`;
}

export const keyHtmlEscaped: Mutant = {
  id: 'key-html-escaped',
  breaks: 'Characters that HTML treats specially are written as escapes.',
  kills: [...OFFLINE, 'cache-key.jcs-strings'],
  parts: writing({ string: (text) => wellFormedString(text).replaceAll(/[<>&]/g, htmlEscaped) }),
};
