import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { packageFile } from '../../contract/package-root.ts';
import type { ExitCode, Report } from '../../contract/report.ts';
import { CREDENTIAL_VARIABLES } from '../../evidence/curl.ts';
import { interruptedBy } from '../../runner/interrupted.ts';
import { messageOf } from '../files.ts';
import { readReport } from '../read-result.ts';
import type { JudgedTarget } from '../../report/matrix/matrix.ts';
import type { ListedTarget } from './read-targets.ts';

const CLI = packageFile('dist', 'bin', 'openwop-conformance.cjs');
/** Characters of standard error that are kept. */
const KEPT_CHARACTERS = 4096;
/** What a run that was judged ends with. */
const CODES: ReadonlySet<unknown> = new Set<ExitCode>([0, 1, 3, 4, 129, 130, 143]);

/** Environment variables that hold credentials of any target. */
export function credentialVariables(targets: readonly ListedTarget[]): ReadonlySet<string> {
  return new Set([...Object.values(CREDENTIAL_VARIABLES), ...targets.flatMap(({ variables }) => variables)]);
}

/** What the runs of all hosts have in common. */
export interface Shared {
  /** The variables of all hosts' credentials. */
  readonly secret: ReadonlySet<string>;
  /** Interrupts them: each gives what there is. */
  readonly signal: AbortSignal;
  /** The processes that run now. */
  readonly running: Set<ChildProcess>;
}

/**
 * Judges a host by a run of its own, in a process of its own: it shares neither memory nor credentials with the others, and however it ends, they go on.
 */
export async function judgeTarget(target: ListedTarget, { secret, signal, running }: Shared): Promise<JudgedTarget> {
  const { name, baseUrl, args, variables, report: path } = target;
  if (signal.aborted) return { name, baseUrl, exitCode: 4, report: undefined, reason: 'its run was not begun' };
  // What an earlier run has left is not this one's.
  rmSync(path, { force: true });
  const own = Object.entries(process.env).filter(([each]) => !secret.has(each) || variables.includes(each));
  const child = spawn(process.execPath, [CLI, 'run', ...args], {
    // By its channel it knows when this process is gone, however that ended.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: Object.fromEntries(own),
  });
  const interrupt = (): void => void child.kill(interruptedBy(signal) ?? 'SIGTERM');
  signal.addEventListener('abort', interrupt, { once: true });
  running.add(child);
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-KEPT_CHARACTERS)));
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return { name, baseUrl, ...outcome(path, { code, killedBy, said }) };
  } catch (error) {
    return { name, baseUrl, exitCode: 4, report: undefined, reason: `its run did not start: ${messageOf(error)}` };
  } finally {
    signal.removeEventListener('abort', interrupt);
    running.delete(child);
  }
}

interface End {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly said: string;
}

function outcome(path: string, { code, killedBy, said }: End): Pick<JudgedTarget, 'exitCode' | 'report' | 'reason'> {
  const last =
    said
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(/^openwop-conformance: /u, '') ?? '';
  const how = killedBy === null ? `exit code ${code ?? 'unknown'}` : `killed by ${killedBy}`;
  const reason = `its run ended without a report (${how})${last === '' ? '' : `: ${last}`}`;
  let report: Report;
  try {
    report = readReport(path);
  } catch {
    return { exitCode: 4, report: undefined, reason };
  }
  if (!CODES.has(code)) return { exitCode: 4, report, reason };
  const exitCode = code as ExitCode;
  return exitCode === report.exitCode ? { exitCode, report } : { exitCode, report, reason: last };
}
