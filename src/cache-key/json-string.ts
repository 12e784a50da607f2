import { type Cursor, JsonTextError } from './json-cursor.ts';

/** The letters of escapes that are two characters long. */
const SHORT = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

const longEscape = /\\u[0-9a-fA-F]{4}/y;

/**
 * Reads the string literal at the cursor and decodes it. A `\u` escape gives exactly that code unit, so a lone surrogate
 * is still to be seen in the result. Throws `JsonTextError` at the first character that RFC 8259 does not allow.
 */
export function readString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  let plain = true;
  for (let at = start + 1; ;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      cursor.at = at + 1;
      // Put together piece by piece, a text of escapes takes many times its length.
      return plain ? text.slice(start + 1, at) : (JSON.parse(text.slice(start, at + 1)) as string);
    }
    if (code === 0x5c) {
      plain = false;
      at += escapeLength(text, at);
    } else if (code >= 0x20) {
      at += 1;
    } else {
      throw new JsonTextError(
        Number.isNaN(code) ? 'the text ends inside a string' : 'control character inside a string',
        at,
      );
    }
  }
}

function escapeLength(text: string, at: number): number {
  const letter = text.charCodeAt(at + 1);
  if (SHORT.has(letter)) return 2;
  longEscape.lastIndex = at;
  if (!longEscape.test(text)) throw new JsonTextError('not a JSON escape', at);
  return 6;
}
