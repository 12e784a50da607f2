import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { messageOf } from './files.ts';
import { UsageError } from './usage-error.ts';

/** Makes an empty directory that is gone when this process has ended, killed or not. Throws UsageError where there is no place for one. */
export function temporaryDirectory(): string {
  home ??= makeHome();
  return mkdtempSync(home + sep);
}

/** One for the process: each has a process beside it that removes it. */
let home: string | undefined;

function makeHome(): string {
  const directory = makeDirectory(tmpdir());
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  removeAfterUs(directory);
  return directory;
}

function makeDirectory(within: string): string {
  try {
    return mkdtempSync(join(within, 'openwop-conformance-'));
  } catch (error) {
    throw new UsageError(`no temporary directory can be made (TMPDIR): ${messageOf(error)}`, { cause: error });
  }
}

/** What the remover does: it waits for the end of its standard input, as which it gets the end of this process. */
const REMOVE = `process.stdin.resume().once('close', () =>
  fs.rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))`;

/** In a group of its own: what a terminal or a shell sends to ours does not reach it. */
function removeAfterUs(directory: string): void {
  const remover = spawn(process.execPath, ['-e', REMOVE, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.on('error', () => undefined).unref();
  remover.stdin.on('error', () => undefined);
}
