import { constants, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { UsageError } from '../contract/usage-error.ts';
import { splitLines } from '../event-log/index.ts';
import { readPieces } from './files.ts';

const PIECE = 65_536;

/** A line, and its number from 1. */
interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

/** The lines of a file that are not blank, of standard input for `-`; of its first bytes alone where `end` says how many. Throws UsageError for what is no text. */
export async function* linesOf(path: string, end = Infinity): AsyncGenerator<NumberedLine, void> {
  yield* linesIn(path, upTo(readPieces(path, PIECE), end));
}

/** The same for a file that may keep its reader waiting, standard input or a named pipe: they end where the signal aborts. */
export async function* awaitedLines(path: string, signal: AbortSignal): AsyncGenerator<NumberedLine, void> {
  if (path !== '-' && !statSync(path).isFIFO()) return yield* linesOf(path);
  const stream = path === '-' ? process.stdin : openPipe(path);
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop);
  try {
    yield* linesIn(path, stream);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A pipe is opened without waiting for who writes into it, and read without keeping a thread waiting. */
function openPipe(path: string): Readable {
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
}

async function* linesIn(path: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine, void> {
  let number = 0;
  for await (const read of splitLines(pieces)) {
    if (!read.ok) throw new UsageError(`${path}: after line ${number}: ${read.message}`);
    for (const text of read.lines) {
      number += 1;
      if (text.trim() !== '') yield { text, number };
    }
  }
}

async function* upTo(pieces: AsyncIterable<Uint8Array>, end: number): AsyncGenerator<Uint8Array, void> {
  let left = end;
  for await (const piece of pieces) {
    if (left > 0) yield piece.subarray(0, left);
    left -= piece.byteLength;
    if (left <= 0) return;
  }
}
