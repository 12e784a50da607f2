import { isUtf8 } from 'node:buffer';
import { parseExactly } from '../evidence/exact-json.ts';
import {
  excessOf,
  type JsonExcess,
  MAX_JSON_DEPTH,
  MAX_JSON_NAMES,
  MAX_JSON_VALUES,
  valuesOf,
} from '../evidence/json-depth.ts';
import type { JsonReading } from './client.ts';

/**
 * Reads a body as JSON: every way in which it can be none is a value, never an exception. `text` is the body, decoded. It is
 * read when somebody asks first, as nobody reads a stream's body as JSON; the bytes are not kept for that.
 */
export function createJsonReader(bytes: Uint8Array, text: string): () => JsonReading {
  let reading = unreadable(bytes);
  return () => (reading ??= readJsonText(text.replace(/^\ufeff/u, ''), parseExactly));
}

function unreadable(bytes: Uint8Array): JsonReading | undefined {
  if (bytes.byteLength === 0) return { ok: false, why: 'empty', message: 'the body is empty' };
  if (!isUtf8(bytes)) return { ok: false, why: 'invalid-utf8', message: 'the body is not valid UTF-8' };
  return undefined;
}

/** The same for a text that was decoded already; a number beyond a double is as the parser gives it. */
export function readJsonText(text: string, parse: Parse = JSON.parse): JsonReading {
  const excess = excessOf(text);
  return excess === undefined ? parsed(text, parse) : tooMuch(excess);
}

type Parse = (text: string) => unknown;

/** Reads the texts of which one log consists, such as the data fields of a stream: all together hold no more values than one may. */
export function createLogReader(): (text: string) => JsonReading {
  let left = MAX_JSON_VALUES;
  return (text) => {
    const found = valuesOf(text, left);
    if (typeof found !== 'number') return tooMuch(found);
    left -= found;
    return parsed(text, parseExactly);
  };
}

function tooMuch(why: JsonExcess): JsonReading {
  const message =
    why === 'too-deep'
      ? `the body nests deeper than ${MAX_JSON_DEPTH} levels`
      : `the body holds more than ${MAX_JSON_VALUES} values, or an object of more than ${MAX_JSON_NAMES} names`;
  return { ok: false, why, message };
}

function parsed(text: string, parse: Parse): JsonReading {
  try {
    return { ok: true, value: parse(text) };
  } catch (error) {
    const why = withoutQuote(error instanceof Error ? error.message : '');
    return { ok: false, why: 'malformed-json', message: `the body is no JSON: ${why}` };
  }
}

/** The parser's message without the piece of the body that it quotes, in which a part of a credential may stand. */
function withoutQuote(message: string): string {
  return message.replace(/,? (?:\.\.\.)?".*/su, '');
}
