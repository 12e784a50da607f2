import { existsSync, statSync } from 'node:fs';
import { applyBaseline, type Deciding } from '../../baseline/apply.ts';
import { type Baseline, type BaselineEntry, formatBaseline, nameOf } from '../../baseline/baseline.ts';
import { gateScript, type Pipeline } from '../../baseline/gate-script.ts';
import { makeBaseline, pruneBaseline, updateBaseline, whyNoBaseline } from '../../baseline/make.ts';
import { decides } from '../../contract/requirement.ts';
import type { ExitCode, Report } from '../../contract/report.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { allNames, readBaselineFile } from '../baseline-file.ts';
import { isSpecial } from '../../evidence/whole-file.ts';
import { checkFiles, messageOf } from '../files.ts';
import { keepWhole } from '../kept.ts';
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
  const report = result === undefined ? undefined : await readResultFor(file, result);
  const script = flags.ci === undefined ? undefined : gateScript(flags.ci, file, report?.options);
  if (script !== undefined && !script.ok) throw new UsageError(script.message);
  if (report !== undefined) {
    if (existsSync(file)) {
      if (flags.force !== true) {
        throw new UsageError(`${file} is there already: baseline update keeps its reasons, --force replaces it`);
      }
      refuseOther(file);
    }
    const refused = refusalOf(report);
    if (refused !== undefined) return refused;
    const written = write(file, makeBaseline(report, decidingOf(report).level), report);
    // Standard output is the script's.
    if (script === undefined) print(`${written}\n`);
    else printMessage(written);
  }
  if (script !== undefined) print(script.text);
  return 0;
}

/** Replaces a baseline, or an empty file, and nothing else. */
function refuseOther(file: string): void {
  if (isSpecial(file) || statSync(file).size === 0) return;
  try {
    readBaselineFile(file);
  } catch (error) {
    throw new UsageError(`--force replaces a baseline alone: ${messageOf(error)}`, { cause: error });
  }
}

/** `baseline check FILE RESULT`: says what a baseline says and is not so. Returns the exit code that the run ends with. */
export async function check(file: string, result: string): Promise<ExitCode> {
  const baseline = readBaselineFile(file, allNames());
  const report = await readResult(result);
  const applied = applyBaseline(report, baseline, decidingOf(report));
  const { known = 0, problems = [], uncompared } = applied.baseline ?? {};
  if (uncompared !== undefined) printMessage(`not compared: ${uncompared}`);
  const red = applied.checks.filter(({ verdict, known: entry }) => verdict === 'fail' && entry === undefined);
  const deciding = decidingOf(report).level;
  const open = applied.checks.filter(
    ({ verdict, known: entry, level }) => verdict === 'inconclusive' && entry === undefined && decides(level, deciding),
  );
  const lines = [
    ...problems.map(({ kind, message }) => `${kind}: ${message}`),
    ...red.map(({ id, level }) => `new: ${id} (${level}) fails`),
    ...(applied.exitCode === 3 ? open : []).map(({ id, reason = 'undecided' }) => `open: ${id}: ${reason}`),
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
    ...changes(before, after),
    ...before.decided.filter((id) => !after.decided.includes(id)).map((id) => `need not be decided any more: ${id}`),
  ];
  if (lines.length > 0) print(`${lines.map(onOneLine).join('\n')}\n`);
  print(`${write(file, after, report)}\n`);
  return 0;
}

function namesOnlyIn(one: Baseline, other: Baseline): readonly string[] {
  const others = new Set(other.known.map(nameOf));
  return one.known.map(nameOf).filter((name) => !others.has(name));
}

/** Entries that say something else now. */
function changes({ known }: Baseline, after: Baseline): readonly string[] {
  return after.known.flatMap((now) => {
    const then = known.find((entry) => nameOf(entry) === nameOf(now));
    if (then === undefined || (then.verdict === now.verdict && then.diagnosis === now.diagnosis)) return [];
    return [`changed: ${nameOf(now)} from ${kindOf(then)} to ${kindOf(now)}`];
  });
}

function kindOf({ verdict, diagnosis = 'any diagnosis' }: BaselineEntry): string {
  return verdict === 'fail' ? `failing with ${diagnosis}` : verdict;
}

async function readResultFor(file: string, result: string): Promise<Report> {
  if (file === '-') throw new UsageError('a baseline is a file of its own: give it a name (./- where it is -)');
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

/** Writes the file; gives a line about what is in it. */
function write(file: string, baseline: Baseline, report: Report): string {
  keepWhole('the baseline', file, formatBaseline(baseline));
  const failing = baseline.known.filter(({ verdict }) => verdict === 'fail').length;
  const day = report.startedAt.slice(0, 10);
  const counted = `${failing} failing and ${baseline.known.length - failing} undecided are known`;
  const decided = `${new Set(baseline.decided).size} checks have to stay decided`;
  return onOneLine(`${file}: ${counted}, ${decided} (run of ${day})`);
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
