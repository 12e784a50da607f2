import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';

/**
 * How long the log of an open data file is at least, in bytes: twice what SQLite writes before it starts again at its
 * beginning. A shorter log was cut off, which its transactions alone could not tell.
 */
export const LOG_BYTES = 4 * 1024 * 1024;

/** The log of a data file. */
export function logOf(file: string): string {
  return `${file}-wal`;
}

/** Makes an open data file's log as long as it has to be. Nothing may have been acknowledged before. */
export function reserveLog(file: string): void {
  const descriptor = openSync(logOf(file), 'r+');
  try {
    if (fstatSync(descriptor).size < LOG_BYTES) ftruncateSync(descriptor, LOG_BYTES);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
