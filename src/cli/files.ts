import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { isSpecial, openWholeFile, targetOf } from '../evidence/whole-file.ts';
import { UsageError } from '../contract/usage-error.ts';

/** A file that the command line names, and what names it. */
export interface NamedFile {
  readonly option: string;
  readonly path: string;
}

/** The files that options name, those that were not given left out. */
export function namedFiles(paths: Readonly<Record<string, string | undefined>>): readonly NamedFile[] {
  return Object.entries(paths).flatMap(([option, path]) => (path === undefined ? [] : [{ option, path }]));
}

const STANDARD_OUTPUT = 'standard output';

/** Whether a path stands for standard output. */
export function isStandardOutput(path: string): boolean {
  return ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'].includes(path);
}

/** Opens a file to be read, standard input for `-`. */
export function openInput(path: string): Readable {
  return path === '-' ? process.stdin : createReadStream(path);
}

/**
 * The bytes of a file in pieces of this size, of standard input for `-`. All pieces are read into one buffer: each counts
 * until the next is asked for. A stream takes a new one for each, which costs more than the reading.
 */
export async function* readPieces(path: string, size: number): AsyncGenerator<Uint8Array, void> {
  if (path === '-') return yield* process.stdin as AsyncIterable<Uint8Array>;
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(size);
    for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The path of what is read more than once: of a pipe nothing is left then. Throws UsageError for what is no regular file. */
export function onDisk(what: string, path: string): string {
  const found = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === '-' || found?.isFile() === false) {
    throw new UsageError(`${what} has to be a regular file, since it is read twice: ${path}`);
  }
  return path;
}

/**
 * Refuses, before anything is touched, outputs that cannot be written, two that are one file and those that are an input,
 * whatever names and links lead there. Throws UsageError.
 */
export function checkFiles(inputs: readonly NamedFile[], outputs: readonly NamedFile[]): void {
  const refuseOutput = checkOutputs(outputs);
  for (const input of inputs) refuseOutput(input);
}

/** Refuses outputs likewise; what it returns refuses an input that is one of them. Both throw UsageError. */
export function checkOutputs(outputs: readonly NamedFile[]): (input: NamedFile) => void {
  const known = new Map<string, NamedFile>();
  for (const output of outputs) {
    checkWritable(output);
    for (const identity of outputIdentities(output.path)) {
      const other = known.get(identity);
      if (other !== undefined && other !== output) throw new UsageError(collision(other, output));
      known.set(identity, output);
    }
  }
  for (const output of outputs) tryToWrite(output);
  return ({ option, path }) => {
    for (const identity of known.size === 0 ? [] : inputIdentities(path)) {
      const output = known.get(identity);
      if (output === undefined) continue;
      throw new UsageError(`${output.option} would overwrite ${option}, which is read: ${output.path}`);
    }
  };
}

/** What may be written in name only (a full disk, a folder of the kernel's) shows when a file is opened beside it. */
function tryToWrite({ option, path }: NamedFile): void {
  if (isStandardOutput(path) || isSpecial(path)) return;
  try {
    openWholeFile(path).drop();
  } catch (error) {
    throw new UsageError(`${option}: cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function collision(other: NamedFile, output: NamedFile): string {
  return isStandardOutput(output.path) && isStandardOutput(other.path)
    ? `${other.option} and ${output.option} both go to standard output: give one of them a file`
    : `${other.option} and ${output.option} are one file: ${output.path}`;
}

function checkWritable({ option, path }: NamedFile): void {
  if (isStandardOutput(path)) return;
  try {
    if (isSpecial(path)) return;
    const target = targetOf(path);
    const found = statSync(target, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw new UsageError(`${option}: ${path} is a directory`);
    accessSync(dirname(target), constants.W_OK);
    if (found !== undefined) accessSync(target, constants.W_OK);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${option}: cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Makes a folder with those above it, where they are not there. Throws the file system's error. (Node's own way tries for ever
 * where a folder is there and nothing can be made in it, as in /proc.)
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** An input that is absent, or cannot be looked at, is reported by who reads it. */
function inputIdentities(path: string): readonly string[] {
  if (path === '-') return descriptorIdentity(0);
  try {
    return placeIdentity(path);
  } catch {
    return [];
  }
}

function outputIdentities(path: string): readonly string[] {
  return isStandardOutput(path) ? [STANDARD_OUTPUT, ...descriptorIdentity(1)] : placeIdentity(path);
}

function placeIdentity(path: string): readonly string[] {
  const found = fileIdentity(path);
  return found.length > 0 || isSpecial(path) ? found : [targetOf(path)];
}

/** By number, not by name; none for terminals and devices, which nobody overwrites. */
function fileIdentity(path: string): readonly string[] {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined || found.isCharacterDevice() ? [] : [`${found.dev}:${found.ino}`];
}

function descriptorIdentity(descriptor: number): readonly string[] {
  const found = fstatSync(descriptor, { bigint: true });
  return found.isFile() ? [`${found.dev}:${found.ino}`] : [];
}

/** What an error says, for a line of a message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
