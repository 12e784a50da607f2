import { writeWhole } from '../evidence/whole-file.ts';
import { messageOf } from './files.ts';

/** Something that a command has made could not be kept: its message goes to stderr and the process ends with exit code 4. */
export class LostError extends Error {
  override readonly name = 'LostError';
}

/** Writes a file as a whole. Throws LostError, which names it. */
export function keepWhole(what: string, path: string, text: string): void {
  keep(what, path, () => writeWhole(path, text));
}

/** Lets something be written. Throws LostError, which names the file, for what the file system throws. */
export function keep(what: string, path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new LostError(`lost: ${what}: ${path}: ${messageOf(error)} (exit code 4)`, { cause: error });
  }
}
