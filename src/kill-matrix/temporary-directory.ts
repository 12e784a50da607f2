import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { UsageError } from '../contract/usage-error.ts';

/** Makes an empty directory that is gone when this process has ended, killed or not. Throws UsageError where there is no place for one. */
export function temporaryDirectory(): string {
  home ??= sharedHome() ?? makeHome();
  return mkdtempSync(home + sep);
}

/**
 * Has threads that are started afterwards make their temporary directories where this one makes its own. Throws UsageError
 * where there is no place for them.
 */
export function shareTemporaryDirectories(): void {
  home ??= makeHome();
  setEnvironmentData(HOME, home);
}

/** One for the process: each has a process beside it that removes it. */
let home: string | undefined;

const HOME = 'openwop-conformance temporary directories';

function sharedHome(): string | undefined {
  const shared = getEnvironmentData(HOME);
  return typeof shared === 'string' ? shared : undefined;
}

/** Whoever removes the directory is there before it is: a signal may end this process at any moment. */
function makeHome(): string {
  const directory = join(place(), `openwop-conformance-${randomUUID()}`);
  const remover = removeAfterUs(directory);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    remover.kill();
    throw new UsageError(
      `no temporary directory can be made (TMPDIR): ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Files that a memory of the system's holds: hosts that die as processes do need no disk, and wait for none there. */
const MEMORY = '/dev/shm';

/** Bytes that must be free there. */
const ROOM = 512 * 1024 * 1024;

function place(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < ROOM ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

/** What the remover does: it waits for the end of its standard input, as which it gets the end of this process. */
const REMOVE = `process.stdin.resume().once('close', () =>
  fs.rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))`;

/** In a group of its own: what a terminal or a shell sends to ours does not reach it. */
function removeAfterUs(directory: string): ChildProcess {
  const remover = spawn(process.execPath, ['-e', REMOVE, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.on('error', () => undefined).unref();
  remover.stdin.on('error', () => undefined);
  return remover;
}
