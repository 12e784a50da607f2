import { writeWhole } from '../evidence/whole-file.ts';
import { messageOf } from './files.ts';
import { LostError } from './lost-error.ts';

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
