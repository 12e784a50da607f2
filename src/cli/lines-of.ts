import { UsageError } from '../contract/usage-error.ts';
import { splitLines } from '../event-log/index.ts';
import { readPieces } from './files.ts';

const PIECE = 65_536;

/** The lines of a file that are not blank, of standard input for `-`, with their numbers from 1. Throws UsageError for what is no text. */
export async function* linesOf(path: string): AsyncGenerator<{ readonly text: string; readonly number: number }, void> {
  let number = 0;
  for await (const read of splitLines(readPieces(path, PIECE))) {
    if (!read.ok) throw new UsageError(`${path}: after line ${number}: ${read.message}`);
    for (const text of read.lines) {
      number += 1;
      if (text.trim() !== '') yield { text, number };
    }
  }
}
