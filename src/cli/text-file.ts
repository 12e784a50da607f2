import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { UsageError } from '../contract/usage-error.ts';
import { messageOf, readPieces } from './files.ts';

const PIECE = 65_536;

/** What is said of a file that is no text. */
export const NO_TEXT = 'is not valid UTF-8';

/** The text of a file or, for `-`, of standard input, of at most so many bytes of UTF-8. Throws UsageError. */
export async function readTextInput(path: string, mostBytes: number): Promise<string> {
  try {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of readPieces(path, PIECE)) {
      pieces.push(Uint8Array.from(piece));
      length += piece.byteLength;
      if (length > mostBytes) throw new Error(`larger than ${mostBytes} bytes`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof TypeError ? 'not valid UTF-8' : messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * The text of a file of at most so many bytes of UTF-8, of a pipe too: no more is read than it takes to know that there is
 * more. What is wrong with it is thrown as `wrong` says it.
 */
export function readTextFile(path: string, mostBytes: number, wrong: (problem: string) => UsageError): string {
  let bytes: Uint8Array;
  try {
    bytes = bytesOf(path, mostBytes);
  } catch (error) {
    throw wrong(messageOf(error));
  }
  if (bytes.byteLength > mostBytes) throw wrong(`is larger than ${mostBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong(NO_TEXT);
  }
}

/** What stands in a file; of a longer one so much that it shows. */
function bytesOf(path: string, mostBytes: number): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    if (fstatSync(descriptor).isDirectory()) throw new Error('is no file');
    const pieces: Buffer[] = [];
    for (let total = 0; total <= mostBytes;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const length = readSync(descriptor, piece);
      if (length === 0) break;
      pieces.push(piece.subarray(0, length));
      total += length;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(descriptor);
  }
}
