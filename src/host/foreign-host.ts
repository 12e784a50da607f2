import { spawn } from 'node:child_process';
import { armedEnvironment, type CrashHost, type Start, type StartEnd } from './crash-host.ts';
import type { Cut } from './crash.ts';
import { answersDiscovery } from './revive.ts';

/** The host under test as one that is killed: whom it is, and how it is started again. */
export interface ForeignHost {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly variable: string;
  /** A command for the shell that starts it; undefined where it comes back by itself. */
  readonly restartCommand: string | undefined;
}

/**
 * A host that others run. Nothing here ever kills it or what the command started: the command goes into a process group of
 * its own with nothing of ours open, so that the host which it starts survives the harness.
 */
export function foreignHost({ restartCommand, ...host }: ForeignHost): CrashHost {
  return {
    ...host,
    armsAtStart: restartCommand !== undefined,
    isUp: answersDiscovery,
    start: async (failpoint) => {
      if (restartCommand !== undefined) return runRestartCommand(restartCommand, failpoint);
      if (failpoint === undefined) return { ok: true, end: () => undefined };
      return { ok: false, reason: 'no failpoint can be armed for a start that is not ours: give --restart-command' };
    },
  };
}

/** Starts the command: it may be the host itself, in the foreground, or a starter that exits. */
function runRestartCommand(command: string, failpoint: Cut | undefined): Start {
  const env = armedEnvironment(process.env, failpoint);
  const child = spawn(command, { shell: true, detached: true, stdio: 'ignore', env });
  let end: StartEnd | undefined;
  child.once('error', ({ message }) => {
    end ??= { how: message, mayHaveDied: false, isFinal: true };
  });
  child.once('exit', (code, signal) => {
    end ??= startEnd(code, signal);
  });
  child.unref();
  return { ok: true, end: () => end };
}

/** What a shell says of a command that was killed by SIGKILL. */
const KILLED = 128 + 9;

function startEnd(code: number | null, signal: NodeJS.Signals | null): StartEnd {
  const isKilled = signal === 'SIGKILL' || code === KILLED;
  return {
    how: signal === null ? `exit code ${code}` : signal,
    mayHaveDied: isKilled || code === 0,
    isFinal: isKilled,
  };
}
