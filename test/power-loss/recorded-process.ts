import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../src/contract/package-root.ts';
import type { FileOperation } from './journal.ts';
import { readJournal } from './journal.ts';

/** Where the workload says what was acknowledged, within its folder. */
export const ACKS = 'acknowledged';
/** The workload's data file, within its folder. */
export const DATA = 'host.db';

const here = (name: string): string => packageFile('test', 'power-loss', name);

/** Compiles the library that records a process's file operations. Needs Linux and a C compiler, and says so. */
export function compileRecorder(folder: string): string {
  const library = join(folder, 'journal.so');
  const { status, error, stderr } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', library, here('journal.c'), '-ldl'],
    { encoding: 'utf8' },
  );
  if (error !== undefined || status !== 0) {
    throw new Error(`the power loss tests need Linux and a C compiler named cc: ${error?.message ?? stderr}`);
  }
  return library;
}

export interface Workload {
  readonly transactions: number;
  readonly sessions: number;
  /** What the store's `PRAGMA synchronous` is changed to; its own value where left out. */
  readonly synchronous?: 'NORMAL' | 'OFF';
}

/** Lets the workload write into `folder` until it kills itself; gives everything that it did to the files there. */
export function recordWorkload(library: string, folder: string, workload: Workload): FileOperation[] {
  const { transactions, sessions, synchronous } = workload;
  const journal = `${folder}.journal`;
  const args = [join(folder, DATA), join(folder, ACKS), String(transactions), String(sessions)];
  const { signal, stderr } = spawnSync(
    process.execPath,
    [here('workload.mjs'), ...args, ...(synchronous === undefined ? [] : [synchronous])],
    { encoding: 'utf8', env: { LD_PRELOAD: library, JOURNAL_FOLDER: folder, JOURNAL_FILE: journal } },
  );
  if (signal !== 'SIGKILL' || !existsSync(journal)) throw new Error(`the workload failed: ${stderr}`);
  return readJournal(readFileSync(journal), folder);
}
