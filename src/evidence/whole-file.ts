import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A file that is being written beside its place: its reader finds the old one or the whole new one. */
export interface WholeFile {
  write(text: string): void;
  /** Puts what was written in its place. */
  keep(): void;
  /** Forgets what was written; the old file stays. */
  drop(): void;
}

/**
 * Opens a file to be written. A symbolic link stays one: the file that it names is replaced. What is no regular file (a
 * pipe, a device) is written directly. Every function may throw the file system's error.
 */
export function openWholeFile(path: string, newMode = 0o666): WholeFile {
  return isSpecial(path) ? openDirectly(path) : openBeside(targetOf(path), newMode);
}

/** Writes a file as a whole: an interruption or a full disk leaves the old one. Throws the file system's error. */
export function writeWhole(path: string, text: string): void {
  const file = openWholeFile(path);
  try {
    file.write(text);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
}

/** Whether writing to this path is more than replacing a file: descriptors, devices, pipes. Directories are none. */
export function isSpecial(path: string): boolean {
  if (/^\/(?:dev|proc\/(?:self|\d+))\/(?:fd\/\d+|stdout|stderr)$/u.test(path)) return true;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** The place that a path names when all links are followed, whether or not there is a file. */
export function targetOf(path: string): string {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  const place = join(realpathSync(dirname(path)), basename(path));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? targetOf(resolve(dirname(place), readlinkSync(place))) : place;
}

function openBeside(target: string, newMode: number): WholeFile {
  const old = statSync(target, { throwIfNoEntry: false });
  const beside = join(dirname(target), `.openwop-conformance-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const descriptor = openSync(beside, 'wx', newMode);
  const remove = (): void => rmSync(beside, { force: true });
  process.on('exit', remove);
  const close = closeOnce(descriptor);
  const drop = (): void => {
    close();
    remove();
    process.off('exit', remove);
  };
  return {
    write: (text) => writeAll(descriptor, text),
    keep: () => {
      try {
        if (old !== undefined) fchmodSync(descriptor, old.mode);
        close();
        renameSync(beside, target);
      } finally {
        drop();
      }
    },
    drop,
  };
}

function openDirectly(path: string): WholeFile {
  const descriptor = openSync(path, 'w');
  const close = closeOnce(descriptor);
  return { write: (text) => writeAll(descriptor, text), keep: close, drop: close };
}

/** A descriptor that was closed may be another file's by now. */
function closeOnce(descriptor: number): () => void {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    closeSync(descriptor);
  };
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
}
