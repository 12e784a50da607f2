import { isUtf8 } from 'node:buffer';

/** Codings that pack a body (RFC 9110 §8.4.1, with Brotli and Zstandard). Other names leave a text as it is, such as `utf-8`. */
const PACKINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'compress', 'x-compress']);

/** Thrown where an answer comes encoded: every request wants `identity`. */
class AnswerEncoded extends Error {
  override readonly name = 'AnswerEncoded';
  readonly code = 'ERR_ANSWER_ENCODED';
}

/** Characters of an encoding's name that are shown: a longer one is not cut, as a part of a credential may stand in it. */
const LONGEST_NAME = 40;

/** Throws AnswerEncoded where an answer's body cannot be read for its Content-Encoding, by its bytes where they are there. */
export function refuseEncoded(
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  bytes?: Uint8Array,
): void {
  const named = (headers['content-encoding'] ?? '').trim();
  const codings = named
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const isPlain = codings.every((coding) => coding === '' || coding === 'identity');
  if (isPlain || bytes?.byteLength === 0) return;
  if (!codings.some((coding) => PACKINGS.has(coding)) && (bytes === undefined || isUtf8(bytes))) return;
  const name = named.length > LONGEST_NAME ? 'something of a longer name' : JSON.stringify(named);
  throw new AnswerEncoded(
    `the answer ${status} comes encoded as ${name}, which was not requested: send it plain under Accept-Encoding: identity`,
  );
}
