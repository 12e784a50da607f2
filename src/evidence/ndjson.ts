import type { Readable } from 'node:stream';
import type { EvidenceRecord } from './types.ts';
import type { WholeFile } from './whole-file.ts';

const BUFFERED_CHARACTERS = 65_536;
/** Of a line: more than the longest log that a run reads. */
const MOST_CHARACTERS = 128 * 1024 * 1024;

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
  for await (const batch of lines(input.setEncoding('utf8'))) {
    for (const line of batch) {
      number += 1;
      const text = number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line;
      if (text.trim() !== '') yield parseLine(number, text);
    }
  }
}

/**
 * Splits at LF and nowhere else: a JSON string may hold U+2028, which other line readers take for a line's end. Gives the
 * lines that end in one chunk together: waiting for each of millions of blank ones takes seconds.
 */
async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let pending: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...rest] = chunk.split('\n');
    pending.push(first);
    length += first.length;
    if (length > MOST_CHARACTERS) throw new Error(`a line is longer than ${MOST_CHARACTERS} characters`);
    const next = rest.pop();
    if (next === undefined) continue;
    yield [pending.join(''), ...rest];
    pending = [next];
    length = next.length;
  }
  yield [pending.join('')];
}

function parseLine(line: number, text: string): EvidenceLine {
  try {
    return { line, ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { line, ok: false, message: 'not a JSON document' };
  }
}
