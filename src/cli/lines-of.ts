import { createInterface } from 'node:readline';
import { openInput } from './files.ts';

/** The lines of a file, of standard input for `-`, with their numbers from 1. */
export async function* linesOf(path: string): AsyncGenerator<{ readonly text: string; readonly number: number }, void> {
  let number = 0;
  for await (const text of createInterface({ input: openInput(path), crlfDelay: Infinity })) {
    number += 1;
    yield { text, number };
  }
}
