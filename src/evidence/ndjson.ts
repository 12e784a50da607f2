import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { valuesOf } from './json-depth.ts';
import { repeatedName } from './repeated-name.ts';
import type { EvidenceRecord } from './types.ts';
import type { WholeFile } from './whole-file.ts';

const BUFFERED_CHARACTERS = 65_536;
/** Of a line: more than the longest log that a run reads. */
const MOST_BYTES = 128 * 1024 * 1024;

/** An evidence file that is being written, one JSON line a record. */
export interface EvidenceFile {
  /** Never throws: what cannot be written is lost, and `close` says why. */
  write(record: EvidenceRecord): void;
  /** Puts the evidence in its place, where there is any. Returns why it was lost, undefined where it is whole. */
  close(): string | undefined;
}

/**
 * Writes evidence into a file that was opened for it. What a drive that was given up writes after `close` is dropped, and
 * all that follows a failed write.
 */
export function openEvidenceFile(file: WholeFile): EvidenceFile {
  let buffered = '';
  let open = true;
  let isEmpty = true;
  let lost: string | undefined;
  const attempt = (work: () => void): void => {
    try {
      if (lost === undefined) work();
    } catch (error) {
      lost = error instanceof Error ? error.message : String(error);
    }
  };
  const flush = (): void => {
    const text = buffered;
    buffered = '';
    attempt(() => file.write(text));
  };
  return {
    write: (record) => {
      if (!open) return;
      isEmpty = false;
      buffered += `${JSON.stringify(record)}\n`;
      if (buffered.length >= BUFFERED_CHARACTERS) flush();
    },
    close: () => {
      if (!open) return lost;
      open = false;
      flush();
      attempt(() => (isEmpty ? file.drop() : file.keep()));
      if (lost !== undefined) file.drop();
      return lost;
    },
  };
}

/** One line of an evidence file: its number (from 1) and its JSON, or why it is none. */
export type EvidenceLine =
  | { readonly line: number; readonly ok: true; readonly value: unknown }
  | { readonly line: number; readonly ok: false; readonly message: string };

/** Reads NDJSON line by line; a byte order mark and blank lines are passed over. Throws when the input cannot be read. */
export async function* readEvidenceLines(input: Readable): AsyncGenerator<EvidenceLine> {
  let number = 0;
  for await (const batch of lines(input)) {
    for (const line of batch) {
      number += 1;
      const text = number === 1 && line?.startsWith('\ufeff') === true ? line.slice(1) : line;
      if (text === undefined) yield { line: number, ok: false, message: 'not valid UTF-8' };
      else if (text.trim() !== '') yield parseLine(number, text);
    }
  }
}

/** A line's text; none where its bytes are no UTF-8. */
type Text = string | undefined;

/**
 * Splits at LF and nowhere else: a JSON string may hold U+2028, which other line readers take for a line's end. Gives the
 * lines that end in one chunk together: waiting for each of millions of blank ones takes seconds.
 */
async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Text[]> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf('\n');
    if (end < 0) pending.push(chunk);
    else {
      yield textsOf(Buffer.concat([...pending, chunk.subarray(0, end)]));
      pending = [chunk.subarray(end + 1)];
      length = 0;
    }
    length += chunk.length - end - 1;
    if (length > MOST_BYTES) throw new Error(`a line is longer than ${MOST_BYTES} bytes`);
  }
  yield textsOf(Buffer.concat(pending));
}

function textsOf(bytes: Buffer): readonly Text[] {
  if (isUtf8(bytes)) return bytes.toString('utf8').split('\n');
  // No byte of a character of several is LF.
  return bytes
    .toString('latin1')
    .split('\n')
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => (isUtf8(line) ? line.toString('utf8') : undefined));
}

/** Values of a line, names included: more than those of the longest log that a run reads, beside others. */
const MOST_VALUES = 4_000_000;

function parseLine(line: number, text: string): EvidenceLine {
  if (valuesOf(text, MOST_VALUES, Infinity) === 'too-many') {
    return { line, ok: false, message: 'more than a line of evidence holds' };
  }
  try {
    const value = JSON.parse(text) as unknown;
    // As it is written, no name stands twice.
    const twice = JSON.stringify(value) === text ? undefined : repeatedName(text);
    return twice === undefined
      ? { line, ok: true, value }
      : { line, ok: false, message: `an object has two members ${twice}` };
  } catch {
    return { line, ok: false, message: 'not a JSON document' };
  }
}
