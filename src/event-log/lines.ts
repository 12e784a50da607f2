import { isAscii, isUtf8 } from 'node:buffer';

/** Bytes of a log that comes as one JSON document (an array, or the answer of the events endpoint). */
export const MAX_DOCUMENT = 128 * 1024 * 1024;

/** Bytes of one NDJSON line. */
export const MAX_LINE = 16 * 1024 * 1024;

/** Some lines, in order; an unfinished last line is kept for the next chunk. */
export type Lines =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly message: string };

const LF = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Splits bytes at LF and nowhere else (a JSON string may hold U+2028) and decodes them as UTF-8, whole lines at once. The
 * first line may be as long as a document, because a document may be one line. Ends with `ok: false` at invalid UTF-8 or
 * a longer line. A chunk is not looked at any more when the next one was asked for.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Lines> {
  let pending: Uint8Array[] = [];
  let length = 0;
  let limit = MAX_DOCUMENT;
  for await (const chunk of chunks) {
    const first = chunk.indexOf(LF);
    const last = chunk.lastIndexOf(LF);
    if (length + (first === -1 ? chunk.byteLength : first) > limit) {
      return yield { ok: false, message: `a line is longer than ${limit} bytes` };
    }
    if (last === -1) {
      pending.push(new Uint8Array(chunk));
      length += chunk.byteLength;
      continue;
    }
    const whole = chunk.subarray(0, last);
    const read = decodeLines(length === 0 ? [whole] : [...pending, whole], limit === MAX_DOCUMENT);
    yield* read;
    if (read.some(({ ok }) => !ok)) return;
    pending = [new Uint8Array(chunk.subarray(last + 1))];
    length = chunk.byteLength - last - 1;
    limit = MAX_LINE;
  }
  yield* decodeLines(pending, limit === MAX_DOCUMENT);
}

function decodeLines(pieces: readonly Uint8Array[], fromStart: boolean): readonly Lines[] {
  const [first] = pieces;
  const all = first === undefined || pieces.length > 1 ? Buffer.concat(pieces) : viewOf(first);
  const marked = fromStart && all.subarray(0, BYTE_ORDER_MARK.byteLength).equals(BYTE_ORDER_MARK);
  const bytes = marked ? all.subarray(BYTE_ORDER_MARK.byteLength) : all;
  // For ASCII, which most logs are, Latin-1 is the same and costs a copy.
  if (isAscii(bytes)) return [{ ok: true, lines: bytes.toString('latin1').split('\n') }];
  if (isUtf8(bytes)) return [{ ok: true, lines: bytes.toString('utf8').split('\n') }];
  return [
    { ok: true, lines: validLines(bytes) },
    { ok: false, message: 'not valid UTF-8' },
  ];
}

/** The lines before the first one that is no UTF-8. */
function validLines(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let start = 0, end = bytes.indexOf(LF); end !== -1; start = end + 1, end = bytes.indexOf(LF, start)) {
    const line = bytes.subarray(start, end);
    if (!isUtf8(line)) break;
    lines.push(line.toString('utf8'));
  }
  return lines;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
