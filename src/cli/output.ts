import { unknownName } from '../contract/nearest.ts';
import type { Report } from '../contract/report.ts';
import { type WholeFile, writeWhole } from '../evidence/whole-file.ts';
import { escapeJson } from '../report/escape.ts';
import { REPORTERS } from '../report/index.ts';
import type { Reporter } from '../report/reporter.ts';
import { isStandardOutput, messageOf, type NamedFile } from './files.ts';
import { printMessage } from './printer.ts';
import { UsageError } from '../contract/usage-error.ts';

/** One `--reporter name[=file]`; without a file, `-` too, it goes to standard output. */
export interface Output extends NamedFile {
  readonly name: string;
  readonly reporter: Reporter;
}

/** Reads the reporters and loads them; an unknown name is a usage error. The terminal page is the default. Touches no file. */
export function readOutputs(specifications: readonly string[] = []): Promise<readonly Output[]> {
  return Promise.all((specifications.length === 0 ? ['terminal'] : specifications).map(readOutput));
}

async function readOutput(specification: string): Promise<Output> {
  const [name = '', ...rest] = specification.split('=');
  const load = REPORTERS.get(name);
  if (load === undefined) {
    const names = [...REPORTERS.keys()];
    throw new UsageError(`${unknownName('reporter', name, names)} (${names.join(', ')})`);
  }
  const file = rest.join('=');
  return { name, reporter: await load(), option: `--reporter ${specification}`, path: file === '' ? '-' : file };
}

/** What is lost beside a report, and how it is painted. */
export interface Writing {
  readonly color: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** What could not be kept before: a line each. */
  readonly lost?: readonly string[];
}

/**
 * Renders a report to every output, files first. Returns the exit code: the report's, or 4 where something was lost, which
 * a line on standard error names. Files are plain; standard output has colour on a terminal or when asked for.
 */
export function writeOutputs(report: Report, outputs: readonly Output[], writing: Writing): Report['exitCode'] {
  const lost = [...(writing.lost ?? [])];
  for (const output of outputs.filter(({ path }) => !isStandardOutput(path))) {
    try {
      writeWhole(
        output.path,
        output.reporter.render(exited(report, lost), { color: false, verbose: writing.verbose === true }),
      );
    } catch (error) {
      lost.push(`the ${output.name} report: ${output.path}: ${messageOf(error)}`);
    }
  }
  const final = exited(report, lost);
  for (const { reporter } of outputs.filter(({ path }) => isStandardOutput(path))) {
    process.stdout.write(
      reporter.render(final, { color: wantsColor(writing.color), verbose: writing.verbose === true }),
    );
  }
  const { interrupted } = final;
  const isShown = outputs.some(({ name, path }) => name === 'terminal' && isStandardOutput(path));
  if (interrupted !== undefined && !isShown) {
    printMessage(`interrupted by ${interrupted} (exit code ${final.exitCode})`);
  }
  for (const each of lost) printMessage(`lost: ${each} (exit code ${final.exitCode})`);
  return final.exitCode;
}

/** The exit code says what the process ends with. */
function exited(report: Report, lost: readonly string[]): Report {
  return lost.length === 0 || report.interrupted !== undefined ? report : { ...report, exitCode: 4 };
}

/** NO_COLOR and FORCE_COLOR are honoured; the flag wins over both; a pipe is plain. */
function wantsColor(flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag;
  const force = process.env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if ((process.env['NO_COLOR'] ?? '') !== '') return false;
  return process.stdout.isTTY;
}

/** Standard output as a file of JSON lines that is written directly; what it cannot take, `main` reports. */
export const standardOutput: WholeFile = {
  write: (text) => void process.stdout.write(escapeJson(text)),
  keep: () => undefined,
  drop: () => undefined,
};
