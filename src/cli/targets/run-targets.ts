import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { packageVersion } from '../../contract/package-root.ts';
import type { ExitCode } from '../../contract/report.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { writeWhole } from '../../evidence/whole-file.ts';
import { escapeJson } from '../../report/escape.ts';
import { renderMatrix as renderPage } from '../../report/matrix/html.tsx';
import { type JudgedTarget, matrixOf } from '../../report/matrix/matrix.ts';
import { renderMatrix } from '../../report/matrix/terminal.ts';
import { interruptedBy } from '../../runner/interrupted.ts';
import { schedule } from '../../runner/schedule.ts';
import { messageOf } from '../files.ts';
import { INTERRUPT_CODES, watchForInterrupt } from '../interruption.ts';
import type { TargetsFlags } from '../options.ts';
import { wantsColor } from '../output.ts';
import { print, printMessage } from '../printer.ts';
import { credentialVariables, judgeTarget } from './judge-target.ts';
import { optionOf, type Options, readTargets } from './read-targets.ts';

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
