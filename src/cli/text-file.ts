import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../contract/usage-error.ts';
import { messageOf } from './files.ts';

/** The text of a regular file of at most so many bytes of UTF-8; what is wrong with it is thrown as `wrong` says it. */
export function readTextFile(path: string, mostBytes: number, wrong: (problem: string) => UsageError): string {
  let bytes: Uint8Array;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw wrong('is no file');
    if (found.size > mostBytes) throw wrong(`is larger than ${mostBytes} bytes`);
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw wrong(messageOf(error));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong('is not valid UTF-8');
  }
}
