import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, packageVersion } from '../../contract/package-root.ts';
import type { ExitCode, Report } from '../../contract/report.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { CREDENTIAL_VARIABLES } from '../../evidence/curl.ts';
import { writeWhole } from '../../evidence/whole-file.ts';
import { escapeJson } from '../../report/escape.ts';
import { renderMatrix as renderPage } from '../../report/matrix/html.tsx';
import { type JudgedTarget, matrixOf } from '../../report/matrix/matrix.ts';
import { renderMatrix } from '../../report/matrix/terminal.ts';
import { interruptedBy } from '../../runner/stopped.ts';
import { schedule } from '../../runner/schedule.ts';
import { messageOf } from '../files.ts';
import { INTERRUPT_CODES, watchForInterrupt } from '../interruption.ts';
import type { TargetsFlags } from '../options.ts';
import { wantsColor } from '../output.ts';
import { print, printMessage } from '../printer.ts';
import { readReport } from '../read-result.ts';
import { type ListedTarget, optionOf, type Options, readTargets } from './read-targets.ts';

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

const DEFAULT_JOBS = 4;

/** Options of the command itself. */
const OWN = new Set(['targets', 'reports', 'jobs', 'quiet', 'color']);

/** Options that the command line may give for all hosts. */
const FOR_ALL = new Set(
  `suite scenario requirement exclude require volatile recipe level crash seed vectors forks sweep maxFailures
  concurrency timeout maxTime allowInconclusive otel`.split(/\s+/u),
);

/**
 * `run --targets FILE`: judges many hosts, each by a run of its own; those that share an origin one after the other. Writes each host's reports and evidence, and a matrix of
 * all into the folder of the reports. Returns the worst exit code, or the interruption's.
 */
export async function runTargets(file: string, flags: TargetsFlags, named: readonly string[]): Promise<ExitCode> {
  const { reports: folder, jobs = DEFAULT_JOBS } = flags;
  if (folder === undefined) throw new UsageError('--targets needs --reports DIR: where do the reports go?');
  const page = join(folder, 'index.html');
  const json = join(folder, 'index.json');
  const outputs = [page, json].map((path) => ({ option: 'the matrix', path }));
  const targets = await readTargets({ file, folder, options: forAll(flags, named), outputs });
  const signal = watchForInterrupt();
  const running = new Set<ChildProcess>();
  const shared = { secret: credentialVariables(targets), signal, running };
  const kill = (): void => running.forEach((child) => void child.kill('SIGKILL'));
  process.on('exit', kill);
  const judged = new Map<string, JudgedTarget>();
  const work = targets.map((target) => ({
    exclusive: target.origins,
    run: async () => {
      const found = await judgeTarget(target, shared);
      judged.set(target.name, found);
      if (flags.quiet === true || signal.aborted) return;
      const verdict = found.report?.verdict ?? 'not judged';
      printMessage(`${judged.size} of ${targets.length} hosts: ${target.name} is ${verdict}`);
    },
  }));
  await schedule(work, jobs);
  process.off('exit', kill);
  const inOrder = targets.flatMap(({ name }) => judged.get(name) ?? []);
  const by = interruptedBy(signal);
  const tool = { name: 'openwop-conformance', version: packageVersion() };
  let matrix = matrixOf(inOrder, {
    tool,
    ...(by === undefined ? {} : { interrupted: by, exitCode: INTERRUPT_CODES[by] }),
  });
  for (const [path, text] of [
    [page, renderPage(matrix)],
    [json, escapeJson(`${JSON.stringify(matrix, null, 2)}\n`)],
  ] as const) {
    try {
      writeWhole(path, text);
    } catch (error) {
      if (by === undefined) matrix = { ...matrix, exitCode: 4 };
      printMessage(`lost: ${path}: ${messageOf(error)} (exit code ${matrix.exitCode})`);
    }
  }
  print(renderMatrix(matrix, { color: wantsColor(flags.color), page }));
  return matrix.exitCode;
}

/** What the command line says for all hosts; what only one host can have is a usage error. */
function forAll(flags: TargetsFlags, named: readonly string[]): Options {
  const stray = named.find((name) => !OWN.has(name) && !FOR_ALL.has(name));
  if (stray !== undefined) {
    throw new UsageError(
      `${optionOf(stray)} cannot be given with --targets: the file says it for each host, or --reports does`,
    );
  }
  const values = Object.entries(flags) as readonly (readonly [string, Options[string]])[];
  return Object.fromEntries(values.filter(([name]) => named.includes(name) && FOR_ALL.has(name)));
}
