import type { ExchangeRecord } from '../evidence/types.ts';

/** Request headers that curl sends by itself or that only serve the harness. */
const LEFT_OUT = new Set(['accept-encoding', 'user-agent', 'content-length', 'connection']);

/**
 * One command that sends a recorded request again, for a POSIX shell. The credential is read from the environment
 * variable that the evidence names. Undefined where the recorded body was cut and would not be the same request.
 */
export function curlCommand(exchange: ExchangeRecord): string | undefined {
  const { request } = exchange;
  if (request.body?.truncated === true) return undefined;
  const words = ['curl', '-sS', '-i', '-X', request.method, quote(request.url)];
  for (const [name, value] of Object.entries(request.headers)) {
    if (LEFT_OUT.has(name)) continue;
    if (name === 'authorization') words.push('-H', `"authorization: ${value}"`);
    else words.push('-H', quote(`${name}: ${value}`));
  }
  if (request.body !== undefined) words.push('--data-binary', quote(pasteable(request.body.text)));
  return words.join(' ');
}

/**
 * A JSON text that survives a terminal: line breaks stand between tokens only and go, characters that a terminal would
 * obey or hide are written as JSON escapes. The value stays the same.
 */
function pasteable(json: string): string {
  return json
    .replace(/\r?\n[ \t]*/gu, '')
    .replace(
      /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function quote(text: string): string {
  return /^[\w./:=@-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
