import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import type { EvidenceRecord } from './types.ts';

const BUFFERED_CHARACTERS = 65_536;

/** An evidence file that is being written, one JSON line a record. */
export interface EvidenceFile {
  write(record: EvidenceRecord): void;
  close(): void;
}

/**
 * Opens (and empties) an evidence file. Throws the file system's error when the path cannot be written. What a drive that
 * was given up writes after `close` is dropped: the descriptor may be another file's by then.
 */
export function openEvidenceFile(path: string): EvidenceFile {
  const descriptor = openSync(path, 'w', 0o600);
  let buffered = '';
  let open = true;
  const flush = (): void => {
    const bytes = Buffer.from(buffered);
    buffered = '';
    for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
  };
  return {
    write: (record) => {
      if (!open) return;
      buffered += `${JSON.stringify(record)}\n`;
      if (buffered.length >= BUFFERED_CHARACTERS) flush();
    },
    close: () => {
      if (!open) return;
      open = false;
      try {
        flush();
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

/** One line of an evidence file: its number (from 1) and its JSON, or why it is none. */
export type EvidenceLine =
  | { readonly line: number; readonly ok: true; readonly value: unknown }
  | { readonly line: number; readonly ok: false; readonly message: string };

/** Reads an NDJSON file line by line; blank lines are passed over. Throws when the file cannot be read. */
export async function* readEvidenceLines(path: string): AsyncGenerator<EvidenceLine> {
  let number = 0;
  for await (const text of lines(createReadStream(path, 'utf8'))) {
    number += 1;
    if (text.trim() !== '') yield parseLine(number, text);
  }
}

/** Splits at LF and nowhere else: a JSON string may hold U+2028, which other line readers take for a line's end. */
async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let pending: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...rest] = chunk.split('\n');
    pending.push(first);
    for (const next of rest) {
      yield pending.join('');
      pending = [next];
    }
  }
  yield pending.join('');
}

function parseLine(line: number, text: string): EvidenceLine {
  try {
    return { line, ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { line, ok: false, message: 'not a JSON document' };
  }
}
