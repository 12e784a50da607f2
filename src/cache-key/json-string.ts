import { type Cursor, JsonTextError } from './json-cursor.ts';

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Reads the string literal at the cursor and decodes it. A `\u` escape gives exactly that code unit, so a lone surrogate
 * is still to be seen in the result. Throws `JsonTextError` at the first character that RFC 8259 does not allow.
 */
export function readString(cursor: Cursor): string {
  const { text } = cursor;
  let from = cursor.at + 1;
  let at = from;
  let decoded = '';
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      cursor.at = at + 1;
      return decoded + text.slice(from, at);
    }
    if (code === 0x5c) {
      decoded += text.slice(from, at) + readEscape(text, at);
      at += text[at + 1] === 'u' ? 6 : 2;
      from = at;
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

function readEscape(text: string, at: number): string {
  const letter = text[at + 1] ?? '';
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return simple;
  const hex = text.slice(at + 2, at + 6);
  if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) throw new JsonTextError('not a JSON escape', at);
  return String.fromCharCode(Number.parseInt(hex, 16));
}
