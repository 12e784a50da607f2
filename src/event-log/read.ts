import { type LogEvent, readLogEvent } from './event.ts';
import { isRecord, own } from './json-value.ts';
import { MAX_DOCUMENT, splitLines } from './lines.ts';

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
