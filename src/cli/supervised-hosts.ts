import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { packageFile } from '../contract/package-root.ts';
import { armedEnvironment, type CrashHost, type CrashHosts, type Start, type StartEnd } from '../host/crash-host.ts';
import type { Cut } from '../host/crash.ts';
import { answersDiscovery } from '../host/revive.ts';
import { temporaryDirectory } from '../kill-matrix/temporary-directory.ts';

/** Bytes of a process's standard error that are kept for reasons. */
const KEPT_STDERR = 2048;
/** How long a process may take until it says its first line, and until it is dead when it was killed. */
const START_MS = 30_000;
const DEATH_MS = 5_000;

/** How to start a host as a process of ours: `args` for Node, the port left out. */
interface SupervisedCommand {
  readonly args: readonly string[];
  /** For what is said of it. */
  readonly name: string;
}

/** A host in a process of our own, which runs already. */
export interface SupervisedHost extends CrashHost {
  /** Ends its process, by its own id. */
  end(): Promise<void>;
}

interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Its first line of standard output; '' where it ended without one. */
  readonly firstLine: Promise<string>;
  readonly gone: Promise<void>;
  end(): StartEnd | undefined;
}

/**
 * Starts a host that prints one JSON line {baseUrl, apiKey}, and supervises it. Its standard input is a pipe that ends when
 * our process does, however that ends: a host that watches it does not outlive us. It is started again on
 * the port that it got first, only after its process has ended. Rejects when the first start gives no such line.
 */
export async function startSupervisedHost(command: SupervisedCommand, signal: AbortSignal): Promise<SupervisedHost> {
  let running = run(command, '0', undefined);
  const kill = (): void => void running.child.kill('SIGKILL');
  process.on('exit', kill);
  const end = async (): Promise<void> => {
    kill();
    await running.gone;
    process.off('exit', kill);
  };
  const address = readAddress(await within(running.firstLine, START_MS, signal));
  if (address === undefined) {
    await end();
    throw new Error(`${command.name} did not start: ${running.end()?.how ?? 'no line with its address'}`);
  }
  return {
    ...address,
    variable: 'OPENWOP_API_KEY',
    armsAtStart: true,
    isUp: async (handle) => running.end() === undefined && (await answersDiscovery(handle)),
    start: async (failpoint, stopped) => {
      await within(running.gone, DEATH_MS, stopped);
      if (running.end() === undefined) return { ok: false, reason: 'still running: the host did not die' };
      running = run(command, new URL(address.baseUrl).port, failpoint);
      return begun(running, stopped);
    },
    end,
  };
}

async function begun(running: Running, stopped: AbortSignal): Promise<Start> {
  await within(running.firstLine, START_MS, stopped);
  return { ok: true, end: () => running.end() };
}

function run({ args }: SupervisedCommand, port: string, failpoint: Cut | undefined): Running {
  const child = spawn(process.execPath, [...args, '--port', port], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: armedEnvironment(ownEnvironment(), failpoint),
  });
  child.stdin.on('error', () => undefined);
  let stderr = '';
  let ended: StartEnd | undefined;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-KEPT_STDERR);
  });
  const gone = new Promise<void>((resolve) => {
    child.once('error', ({ message }) => {
      ended ??= { how: message, mayHaveDied: false, isFinal: true };
      resolve();
    });
    child.once('close', (code, killer) => {
      const said = stderr.trim();
      const how = `${killer ?? `exit code ${code}`}${said === '' ? '' : `: ${said}`}`;
      ended ??= { how, mayHaveDied: killer === 'SIGKILL', isFinal: true };
      resolve();
    });
  });
  return { child, firstLine: firstLine(child.stdout, gone), gone, end: () => ended };
}

function firstLine(stdout: Readable, gone: Promise<void>): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text = text.includes('\n') ? text : text + chunk;
      const end = text.indexOf('\n');
      if (end !== -1) resolve(text.slice(0, end));
    });
    void gone.then(() => resolve(''));
  });
}

/** Waits for `happening` at most so long, and no longer than until the signal aborts; '' where it did not come. */
async function within<T>(happening: Promise<T>, ms: number, signal: AbortSignal): Promise<T | ''> {
  const settled = new AbortController();
  const limit = delay(ms, '' as const, { signal: AbortSignal.any([signal, settled.signal]) }).catch(() => '' as const);
  try {
    return await Promise.race([happening, limit]);
  } finally {
    settled.abort();
  }
}

function readAddress(line: string): { readonly baseUrl: string; readonly apiKey: string } | undefined {
  try {
    const { baseUrl, apiKey } = JSON.parse(line) as { readonly baseUrl?: unknown; readonly apiKey?: unknown };
    return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey } : undefined;
  } catch {
    return undefined;
  }
}

/** Ours, without what would make the host send its spans to somebody. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_')));
}

/** As many as have work on a small machine: a killed host's next start is most of what a cut costs. */
const HOSTS = 2;

/**
 * Starts bundled hosts as processes of their own, each with a data file in a temporary directory, for scenarios that kill
 * them. None where the signal aborts before they run; rejects where one does not start.
 */
export async function openSupervisedHosts(signal: AbortSignal): Promise<CrashHosts> {
  const directory = temporaryDirectory();
  const starts = Array.from({ length: HOSTS }, (_, index) =>
    startBundledHost(join(directory, `${index}.sqlite`), signal),
  );
  const started = await Promise.allSettled(starts);
  const hosts = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map((host) => host.end()));
    rmSync(directory, { recursive: true, force: true });
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed === undefined) return { hosts, close };
  await close();
  if (!signal.aborted) throw failed.reason;
  return { hosts: [], close: async () => {} };
}

function startBundledHost(data: string, signal: AbortSignal): Promise<SupervisedHost> {
  const program = packageFile('dist', 'bin', 'openwop-conformance.cjs');
  const args = [program, 'serve', '--data', data, '--enable-test-seams', '--until-stdin-ends', '--no-ui', '--json'];
  return startSupervisedHost({ args, name: 'the bundled host' }, signal);
}
