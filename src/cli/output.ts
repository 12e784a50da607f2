import { appendFileSync } from 'node:fs';
import { unknownName } from '../contract/nearest.ts';
import type { Report } from '../contract/report.ts';
import type { EvidenceRecord } from '../evidence/types.ts';
import { type EvidenceFile, openEvidenceFile } from '../evidence/ndjson.ts';
import { isSpecial, openWholeFile, type WholeFile, writeWhole } from '../evidence/whole-file.ts';
import { escapeJson } from '../report/escape.ts';
import { REPORTERS } from '../report/index.ts';
import type { Reporter } from '../report/reporter.ts';
import { isStandardOutput, messageOf, type NamedFile } from './files.ts';
import { printMessage } from './printer.ts';
import { UsageError } from '../contract/usage-error.ts';

/** One `--reporter name[=file]`. */
export interface Output {
  readonly name: string;
  readonly reporter: Reporter;
  /** As it was given. */
  readonly option: string;
  /** Where its text goes: standard output for `-` and where nothing is said, but nowhere for one that only announces. */
  readonly path: string | undefined;
  /** Whether the file keeps what it holds. */
  readonly isAdded: boolean;
}

/** Reads the reporters and loads them; an unknown name is a usage error. The terminal page is the default. Touches no file. */
export function readOutputs(specifications: readonly string[] = []): Promise<readonly Output[]> {
  return Promise.all((specifications.length === 0 ? ['terminal'] : specifications).map(readOutput));
}

/** Reads `name[=file]` and loads the reporter of that name; an unknown one is a usage error. */
export async function readReporter<Of>(specification: string, reporters: ReadonlyMap<string, () => Promise<Of>>) {
  const [name = '', ...rest] = specification.split('=');
  const reporter = await reporters.get(name)?.();
  const names = [...reporters.keys()];
  if (reporter === undefined) throw new UsageError(`${unknownName('reporter', name, names)} (${names.join(', ')})`);
  return { name, reporter, file: rest.join('='), isFile: rest.length > 0, option: `--reporter ${specification}` };
}

async function readOutput(specification: string): Promise<Output> {
  const { name, reporter, file, isFile, option } = await readReporter(specification, REPORTERS);
  if (file === '' && isFile) throw new UsageError(`${option} names no file`);
  if (file === '' && reporter.addsTo !== undefined) {
    const named = process.env[reporter.addsTo] ?? '';
    return {
      name,
      reporter,
      option: `${option} (${reporter.addsTo})`,
      path: named === '' ? undefined : named,
      isAdded: true,
    };
  }
  const path = file === '' ? '-' : file;
  if (reporter.needsFile === true && isStandardOutput(path)) {
    throw new UsageError(`--reporter ${name} takes a file: ${name}=FILE`);
  }
  return { name, reporter, option, path, isAdded: false };
}

/** The files of these outputs, to be looked at before anything is done. */
export function outputFiles(outputs: readonly Output[]): readonly NamedFile[] {
  return outputs.flatMap(({ option, path }) => (path === undefined ? [] : [{ option, path }]));
}

/** What is lost beside a report, and how it is painted. */
export interface Writing {
  readonly color?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  /** What the report was judged from. */
  readonly records?: readonly EvidenceRecord[];
  /** What could not be kept before: a line each. */
  readonly lost?: readonly string[];
  /** Whether standard output holds something else already. */
  readonly isTaken?: boolean;
}

/** A report that stands in its file, and how much was known to be lost when it was written. */
interface Kept {
  readonly output: Output;
  readonly known: number;
}

/**
 * Renders a report to every output, files first, then what a runner is told, standard output last. Returns the exit code: the
 * report's, or 4 where something was lost, which a line on standard error names. Files are plain; standard output has colour on
 * a terminal or when asked for, and is as wide as the terminal. A runner is told on standard error where standard output is anything else's; it reads both.
 */
export function writeOutputs(report: Report, outputs: readonly Output[], writing: Writing): Report['exitCode'] {
  const lost = [...(writing.lost ?? [])];
  const kept: Kept[] = [];
  const { verbose = false, quiet = false, records } = writing;
  const write = (output: Output): void => {
    const { name, reporter, path, isAdded } = output;
    if (path === undefined || isStandardOutput(path)) return;
    const known = lost.length;
    try {
      const text = reporter.render(exited(report, lost), { color: false, verbose, quiet, records });
      if (isAdded) appendFileSync(path, text);
      else writeWhole(path, text);
    } catch (error) {
      lost.push(`the ${name} report: ${path}: ${messageOf(error)}`);
      return;
    }
    if (!isAdded && !isSpecial(path)) kept.push({ output, known });
  };
  // What is added to cannot be taken back: it is written when most is known.
  for (const output of outputs.toSorted((a, b) => Number(a.isAdded) - Number(b.isAdded))) write(output);
  // A report that was written before something was lost says another exit code than the process.
  for (const { output } of kept.filter(({ known }) => known < lost.length)) write(output);
  const final = exited(report, lost);
  const shown = outputs.filter(({ path }) => path !== undefined && isStandardOutput(path));
  const announced = writing.isTaken === true || shown.length > 0 ? process.stderr : process.stdout;
  for (const { reporter } of outputs) announced.write(reporter.announce?.(final) ?? '');
  for (const { reporter } of shown) {
    const width = process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined;
    process.stdout.write(reporter.render(final, { color: wantsColor(writing.color), verbose, quiet, width, records }));
  }
  const { interrupted } = final;
  const isShown = shown.some(({ name }) => name === 'terminal');
  if (interrupted !== undefined && !isShown) {
    printMessage(`interrupted by ${interrupted} (exit code ${final.exitCode})`);
  }
  for (const each of lost) printMessage(`lost: ${each} (exit code ${final.exitCode})`);
  return final.exitCode;
}

/** The exit code says what the process ends with. */
function exited(report: Report, lost: readonly string[]): Report {
  if (lost.length === 0) return report;
  return { ...report, lost: [...lost], ...(report.interrupted === undefined ? { exitCode: 4 } : {}) };
}

const OWNER_ONLY = 0o600;

/** Opens where evidence goes: a file for its owner alone, or standard output. Throws UsageError. */
export function openEvidence(path: string): EvidenceFile {
  try {
    return openEvidenceFile(isStandardOutput(path) ? standardOutput : shownSafely(openWholeFile(path, OWNER_ONLY)));
  } catch (error) {
    throw new UsageError(`--evidence: ${messageOf(error)}`, { cause: error });
  }
}

/** NO_COLOR and FORCE_COLOR are honoured; the flag wins over both; a pipe is plain, and so is a terminal that knows no colour. */
export function wantsColor(flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag;
  const force = process.env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if ((process.env['NO_COLOR'] ?? '') !== '') return false;
  return process.stdout.isTTY && process.env['TERM'] !== 'dumb';
}

/** A file of JSON lines in which nothing is hidden, and that a terminal or a runner which is shown it does not obey. */
export function shownSafely(file: WholeFile): WholeFile {
  return { ...file, write: (text) => file.write(escapeJson(text)) };
}

/** Standard output as a file of JSON lines that is written directly; what it cannot take, `main` reports. */
const standardOutput: WholeFile = shownSafely({
  write: (text) => void process.stdout.write(text),
  keep: () => undefined,
  drop: () => undefined,
});
