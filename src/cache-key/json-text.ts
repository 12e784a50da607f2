import type { JsonNode, Member } from './json-node.ts';
import { NODE_READ, spend } from './work.ts';

/** A place in a text that readers move forward. */
interface Cursor {
  readonly text: string;
  at: number;
  /** Short texts that were read before: a thousand tools have the same member names. */
  readonly known: Map<string, string>;
}

/** Unwinds the reader at the first mistake; never leaves `parseJsonText`. */
class JsonTextError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** How many arrays and objects may stand inside one another before a text is refused. */
const defaultDepth = 1000;

/** What a text reads as: its tree, or the first mistake with its offset in UTF-16 code units. */
export type JsonText =
  | { readonly ok: true; readonly node: JsonNode }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/**
 * Reads a JSON text (RFC 8259, nothing more) without losing what JSON.parse loses: number spellings, member order,
 * repeated names and lone surrogates all stay visible. Takes time linear in the text. Text that nests deeper than
 * `maxDepth` is refused like a syntax mistake.
 */
export function parseJsonText(text: string, maxDepth: number = defaultDepth): JsonText {
  const cursor: Cursor = { text, at: 0, known: new Map() };
  try {
    const node = readValue(cursor, maxDepth);
    skipSpace(cursor);
    if (cursor.at < text.length) throw new JsonTextError('unexpected text after the value', cursor.at);
    return { ok: true, node };
  } catch (error) {
    if (error instanceof JsonTextError) return { ok: false, message: error.message, offset: error.offset };
    throw error;
  }
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    cursor.at += 1;
  }
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  spend(NODE_READ);
  skipSpace(cursor);
  const start = cursor.at;
  switch (cursor.text[start]) {
    case '{': {
      const members = readItems(cursor, depth, '}', readMember);
      return { kind: 'object', members, start, end: cursor.at };
    }
    case '[': {
      const items = readItems(cursor, depth, ']', readValue);
      return { kind: 'array', items, start, end: cursor.at };
    }
    case '"': {
      const value = readString(cursor);
      return { kind: 'string', value, start, end: cursor.at };
    }
    case 't':
      return { ...readWord(cursor, 'true'), kind: 'boolean', value: true };
    case 'f':
      return { ...readWord(cursor, 'false'), kind: 'boolean', value: false };
    case 'n':
      return { ...readWord(cursor, 'null'), kind: 'null' };
    case undefined:
      throw new JsonTextError('the text ends where a value is expected', start);
    default:
      return readNumber(cursor);
  }
}

function readWord(cursor: Cursor, word: string): { readonly start: number; readonly end: number } {
  const start = cursor.at;
  if (!cursor.text.startsWith(word, start)) throw new JsonTextError('not a JSON value', start);
  cursor.at += word.length;
  return { start, end: cursor.at };
}

const numberShape = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function readNumber(cursor: Cursor): JsonNode {
  numberShape.lastIndex = cursor.at;
  const raw = numberShape.exec(cursor.text)?.[0];
  if (raw === undefined) throw new JsonTextError('not a JSON value', cursor.at);
  const start = cursor.at;
  cursor.at += raw.length;
  return { kind: 'number', raw, value: Number(raw), start, end: cursor.at };
}

function enter(cursor: Cursor, depth: number): void {
  if (depth <= 0) throw new JsonTextError('nested too deeply', cursor.at);
  cursor.at += 1;
  skipSpace(cursor);
}

/** Steps over `,` or the closing character; true where the container ended. */
function closes(cursor: Cursor, close: string): boolean {
  skipSpace(cursor);
  const found = cursor.text[cursor.at];
  if (found !== ',' && found !== close) throw new JsonTextError(`expected "," or "${close}"`, cursor.at);
  cursor.at += 1;
  return found === close;
}

/** Reads what stands between the cursor's bracket and this one; each is at one level less. */
function readItems<T>(
  cursor: Cursor,
  depth: number,
  close: string,
  read: (cursor: Cursor, depth: number) => T,
): readonly T[] {
  enter(cursor, depth);
  const items: T[] = [];
  if (cursor.text[cursor.at] === close) {
    cursor.at += 1;
    return items;
  }
  do items.push(read(cursor, depth - 1));
  while (!closes(cursor, close));
  // Lists that grow have room to spare; copied, they take what they hold.
  return items.slice();
}

function readMember(cursor: Cursor, depth: number): Member {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== '"') throw new JsonTextError('expected a member name in double quotes', cursor.at);
  const key = readString(cursor);
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== ':') throw new JsonTextError('expected ":" after a member name', cursor.at);
  cursor.at += 1;
  return { key, value: readValue(cursor, depth) };
}

/** The letters of escapes that are two characters long. */
const SHORT = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

const longEscape = /\\u[0-9a-fA-F]{4}/y;

/**
 * Reads the string literal at the cursor and decodes it. A `\u` escape gives exactly that code unit, so a lone surrogate
 * is still to be seen in the result. Throws `JsonTextError` at the first character that RFC 8259 does not allow.
 */
function readString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  let plain = true;
  for (let at = start + 1; ;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      cursor.at = at + 1;
      // Put together piece by piece, a text of escapes takes many times its length.
      return plain ? kept(cursor, text.slice(start + 1, at)) : (JSON.parse(text.slice(start, at + 1)) as string);
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

/** How long a text that is kept once may be, and how many are. */
const MOST_CHARACTERS = 24;
const MOST_KNOWN = 1000;

/** The same text, the one of before where it was read before. */
function kept({ known }: Cursor, text: string): string {
  if (text.length > MOST_CHARACTERS) return text;
  const found = known.get(text);
  if (found === undefined && known.size < MOST_KNOWN) known.set(text, text);
  return found ?? text;
}

function escapeLength(text: string, at: number): number {
  const letter = text.charCodeAt(at + 1);
  if (SHORT.has(letter)) return 2;
  longEscape.lastIndex = at;
  if (!longEscape.test(text)) throw new JsonTextError('not a JSON escape', at);
  return 6;
}
