import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../src/contract/report.ts';
import { packageFile } from '../src/contract/package-root.ts';

/** How a process of the built CLI ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process of the built CLI. */
export interface Started {
  /** Resolves with the first line of standard output; rejects when the process ends before it wrote one. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ended>;
  /** Resolves when standard error holds this text; rejects when the process ends before. */
  said(text: string): Promise<void>;
  isOver(): boolean;
  signal(name: NodeJS.Signals): void;
}

const CLI = packageFile('dist', 'bin', 'openwop-conformance.cjs');

/** How a process of the built CLI is started. */
export interface Start {
  /** What it reads from standard input: nothing where absent. */
  readonly input?: string;
  /** Its standard input stays open as long as it runs. */
  readonly holdsInput?: boolean;
  /** Words before Node's own path, such as a shell that sets limits. */
  readonly through?: readonly string[];
  /** Signals go to it and to all that it started, as those of a terminal do. */
  readonly asGroup?: boolean;
  /** Where the built CLI is. */
  readonly cli?: string;
}

/** Starts the built CLI. Nothing of the caller's environment reaches it but the path. */
export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { input = '', holdsInput = false, through = [], asGroup = false, cli = CLI }: Start = {},
): Started {
  const [program = process.execPath, ...words] = [...through, process.execPath, cli, ...args];
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: asGroup,
    env: { PATH: process.env['PATH'], ...env },
  });
  child.stdin.on('error', () => undefined).write(input);
  if (!holdsInput) child.stdin.end();
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    for (const look of waiting) look();
  });
  const said = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stderr.includes(text)) resolve();
      };
      waiting.add(look);
      look();
      child.once('close', () => reject(new Error(`the process ended and did not say ${text}: ${stderr}`)));
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject).once('close', (exitCode, killedBy) => resolve({ exitCode, killedBy, stdout, stderr }));
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      const end = stdout.indexOf('\n');
      if (end !== -1) resolve(stdout.slice(0, end));
    });
    child.once('close', () => reject(new Error(`the process ended without a line: ${stderr}`)));
  });
  firstLine.catch(() => undefined);
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    firstLine,
    ended,
    said,
    isOver,
    signal: (name) => (asGroup && child.pid !== undefined ? process.kill(-child.pid, name) : child.kill(name)),
  };
}

/** Runs the built CLI to its end. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  start: Start = {},
): Promise<Ended> {
  return startCli(args, env, start).ended;
}

/** Runs the built CLI with a JSON report beside the terminal page; `report` is what it wrote. */
export function runCliWithReport(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended & { readonly report: Report }> {
  return withReport((all) => runCli(all, env), args);
}

/** Has the command line run with a JSON report beside the terminal page; `report` is what it wrote. */
export async function withReport<T>(
  run: (args: readonly string[]) => Promise<T>,
  args: readonly string[],
): Promise<T & { readonly report: Report }> {
  return withTemporaryDirectory(async (directory) => {
    const file = join(directory, 'report.json');
    const ended = await run([...args, '--reporter', 'terminal', '--reporter', `json=${file}`]);
    return { ...ended, report: JSON.parse(readFileSync(file, 'utf8')) as Report };
  });
}

/** What a report says of each check, whatever its runs are called. */
export function verdicts({ checks }: Report) {
  return checks.map(({ id, verdict, restsOn, diagnosis }) => ({ id, verdict, restsOn, diagnosis: diagnosis?.code }));
}

/** Gives work an empty directory of its own and removes it afterwards. */
export async function withTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'openwop-conformance-test-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
