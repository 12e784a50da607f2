import { TextDecoder } from 'node:util';

/** UTF-16 code units of a log that comes as one JSON document (an array, or the answer of the events endpoint). */
export const MAX_DOCUMENT = 128 * 1024 * 1024;

/** UTF-16 code units of one NDJSON line. */
export const MAX_LINE = 16 * 1024 * 1024;

/** Some lines, in order; an unfinished last line is kept for the next chunk. */
export type Lines =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Decodes bytes as UTF-8 and splits them at LF and nowhere else (a JSON string may hold U+2028). The first line may be
 * as long as a document, because a document may be one line. Ends with `ok: false` at invalid UTF-8 or a longer line.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Lines> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pending: string[] = [];
  let length = 0;
  let limit = MAX_DOCUMENT;
  for await (const chunk of chunks) {
    const text = decode(decoder, chunk);
    if (text === undefined) return yield { ok: false, message: 'not valid UTF-8' };
    const parts = text.split('\n');
    pending.push(parts[0] ?? '');
    length += parts[0]?.length ?? 0;
    if (length > limit) return yield { ok: false, message: `a line is longer than ${limit} characters` };
    if (parts.length === 1) continue;
    parts[0] = pending.join('');
    pending = [parts.pop() ?? ''];
    length = pending[0]?.length ?? 0;
    limit = MAX_LINE;
    yield { ok: true, lines: parts };
  }
  const rest = decode(decoder);
  if (rest === undefined) return yield { ok: false, message: 'not valid UTF-8' };
  yield { ok: true, lines: [pending.join('') + rest] };
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string | undefined {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    return undefined;
  }
}
