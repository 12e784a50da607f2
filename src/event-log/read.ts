import { isAscii, isUtf8 } from 'node:buffer';
import { type LogEvent, readLogEvent } from './event.ts';
import { isRecord, own } from './json-value.ts';

/** Bytes of a log that comes as one JSON document (an array, or the answer of the events endpoint). */
const MAX_DOCUMENT = 128 * 1024 * 1024;

/** Bytes of one NDJSON line. */
export const MAX_LINE = 16 * 1024 * 1024;

/** Some lines, in order; an unfinished last line is kept for the next chunk. */
type Lines =
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

/** Some events of a log in order, or where and why the log cannot be read; nothing follows that. */
export type LogBatch =
  | { readonly ok: true; readonly events: readonly LogEvent[] }
  | { readonly ok: false; readonly at: string; readonly message: string };

/** A recorded log, read piece by piece. */
export type LogStream = AsyncIterable<LogBatch>;

/** Reads a whole log that is in memory already, as parsed JSON. */
export function readEvents(values: Iterable<unknown>): LogBatch {
  const events: LogEvent[] = [];
  for (const value of values) {
    const read = readLogEvent(value);
    if (!read.ok) return { ok: false, at: `event ${events.length + 1}`, message: read.message };
    events.push(read.event);
  }
  return { ok: true, events };
}

/**
 * Reads a log from its bytes: NDJSON line by line, or one JSON document, an array of events or an object with `events`
 * as the events endpoint answers. What the log is, its first line says: an event alone, or the start of a document.
 */
export async function* readLog(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LogBatch> {
  let document: string[] | undefined;
  let decided = false;
  let number = 0;
  let length = 0;
  for await (const read of splitLines(chunks)) {
    if (!read.ok) return yield { ok: false, at: `after line ${number}`, message: read.message };
    const start = number;
    number += read.lines.length;
    const first = decided ? undefined : read.lines.find((line) => line.trim() !== '');
    if (first !== undefined) {
      decided = true;
      if (!isEventLine(first)) document = [];
    }
    if (document === undefined) {
      const batch = readLines(read.lines, start);
      yield batch;
      if (!batch.ok) return;
    } else {
      document.push(...read.lines);
      length += read.lines.reduce((sum, line) => sum + line.length, 0);
      if (length > MAX_DOCUMENT) return yield { ok: false, at: 'the document', message: 'too long: use NDJSON' };
    }
  }
  if (document !== undefined) yield* readDocument(document.join('\n'));
}

function isEventLine(line: string): boolean {
  const value = parse(line);
  return isRecord(value) && !Array.isArray(own(value, 'events'));
}

function readLines(lines: readonly string[], before: number): LogBatch {
  const events: LogEvent[] = [];
  let number = before;
  for (const line of lines) {
    number += 1;
    if (line === '') continue;
    const value = parse(line);
    if (value === undefined && line.trim() === '') continue;
    if (value === undefined) return { ok: false, at: `line ${number}`, message: 'not a JSON document' };
    const read = readLogEvent(value, line.length);
    if (!read.ok) return { ok: false, at: `line ${number}`, message: read.message };
    events.push(read.event);
  }
  return { ok: true, events };
}

async function* readDocument(text: string): AsyncGenerator<LogBatch> {
  if (text.trim() === '') return;
  const value = parse(text);
  const events = isRecord(value) ? own(value, 'events') : value;
  if (Array.isArray(events)) return yield readEvents(events);
  const message =
    value === undefined ? 'neither NDJSON nor a JSON document' : 'no event, no array and no {"events": []}';
  yield { ok: false, at: 'line 1', message };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
