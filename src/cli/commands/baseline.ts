import { existsSync } from 'node:fs';
import { applyBaseline, type Deciding } from '../../baseline/apply.ts';
import { type Baseline, formatBaseline, nameOf } from '../../baseline/baseline.ts';
import { gateScript, type Pipeline } from '../../baseline/gate-script.ts';
import { makeBaseline, pruneBaseline, updateBaseline, whyNoBaseline } from '../../baseline/make.ts';
import type { ExitCode, Report } from '../../contract/report.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { writeWhole } from '../../evidence/whole-file.ts';
import { allNames, readBaselineFile } from '../baseline-file.ts';
import { checkFiles, messageOf } from '../files.ts';
import { print, printMessage } from '../printer.ts';
import { readResult } from '../read-result.ts';

export interface InitFlags {
  readonly ci?: Pipeline;
  readonly force?: true;
}

/**
 * `baseline init FILE [RESULT]`: writes the baseline of an earlier run, prints the script of a gate, or both. Returns 0, or the
 * exit code of a run of which none is made.
 */
export async function initBaseline(file: string, result: string | undefined, flags: InitFlags): Promise<ExitCode> {
  if (result === undefined && flags.ci === undefined) {
    throw new UsageError(
      'baseline init takes the evidence or JSON report of a run (or --ci, for the script of a gate alone)',
    );
  }
  const script = flags.ci === undefined ? undefined : gateScript(flags.ci, file);
  if (script !== undefined && !script.ok) throw new UsageError(script.message);
  if (result !== undefined) {
    const report = await readResultFor(file, result);
    if (flags.force !== true && existsSync(file)) {
      throw new UsageError(`${file} is there already: baseline update keeps its reasons, --force replaces it`);
    }
    const refused = refusalOf(report);
    if (refused !== undefined) return refused;
    write(file, makeBaseline(report, decidingOf(report).level), report);
  }
  if (script !== undefined) print(script.text);
  return 0;
}

/** `baseline check FILE RESULT`: says what a baseline says and is not so. Returns the exit code that the run ends with. */
export async function checkBaseline(file: string, result: string): Promise<ExitCode> {
  const baseline = readBaselineFile(file, allNames());
  const report = await readResultFor(file, result);
  const applied = applyBaseline(report, baseline, decidingOf(report));
  const { known = 0, problems = [], uncompared } = applied.baseline ?? {};
  if (uncompared !== undefined) printMessage(`not compared: ${uncompared}`);
  const red = applied.checks.filter((check) => check.verdict === 'fail' && check.known === undefined);
  const lines = [
    ...problems.map(({ kind, message }) => `${kind}: ${message}`),
    ...red.map(({ id, level }) => `new: ${id} (${level}) fails`),
    `${known} known, ${problems.length} not so (exit code ${applied.exitCode})`,
  ];
  print(`${lines.map(onOneLine).join('\n')}\n`);
  return applied.exitCode;
}

/** `baseline prune FILE RESULT`: takes out what holds no longer. */
export async function prune(file: string, result: string): Promise<ExitCode> {
  return change(file, result, (baseline, report) => pruneBaseline(baseline, report, allNames()));
}

/** `baseline update FILE RESULT`: makes the baseline that of this run; reasons, links and expiries stay. */
export async function update(file: string, result: string): Promise<ExitCode> {
  return change(file, result, (baseline, report) =>
    updateBaseline(baseline, report, { level: decidingOf(report).level, names: allNames() }),
  );
}

async function change(
  file: string,
  result: string,
  work: (baseline: Baseline, report: Report) => Baseline,
): Promise<ExitCode> {
  const before = readBaselineFile(file);
  const report = await readResultFor(file, result);
  const refused = refusalOf(report);
  if (refused !== undefined) return refused;
  const after = work(before, report);
  const lines = [
    ...namesOnlyIn(before, after).map((name) => `out: ${name}`),
    ...namesOnlyIn(after, before).map((name) => `in: ${name}`),
  ];
  if (lines.length > 0) print(`${lines.map(onOneLine).join('\n')}\n`);
  write(file, after, report);
  return 0;
}

function namesOnlyIn(one: Baseline, other: Baseline): readonly string[] {
  const others = new Set(other.known.map(nameOf));
  return one.known.map(nameOf).filter((name) => !others.has(name));
}

async function readResultFor(file: string, result: string): Promise<Report> {
  checkFiles([{ option: 'the result', path: result }], [{ option: 'the baseline', path: file }]);
  return readResult(result);
}

/** The exit code of a run of which no baseline is made, once that is said. */
function refusalOf(report: Report): ExitCode | undefined {
  const why = whyNoBaseline(report);
  if (why === undefined) return undefined;
  printMessage(`no baseline is made of this run: ${why}`);
  return report.checks.some(({ verdict }) => verdict === 'error') ? 4 : 3;
}

function write(file: string, baseline: Baseline, report: Report): void {
  try {
    writeWhole(file, formatBaseline(baseline));
  } catch (error) {
    throw new UsageError(`the baseline ${file}: ${messageOf(error)}`, { cause: error });
  }
  const failing = baseline.known.filter(({ verdict }) => verdict === 'fail').length;
  const day = report.startedAt.slice(0, 10);
  print(
    onOneLine(
      `${file}: ${failing} failing and ${baseline.known.length - failing} undecided are known, ${new Set(baseline.decided).size} checks have to stay decided (run of ${day})`,
    ) + '\n',
  );
}

function decidingOf({ options }: Report): Deciding {
  return {
    level: options['level'] === 'should' ? 'should' : 'must',
    allowInconclusive: options['allowInconclusive'] === true,
  };
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ');
}
