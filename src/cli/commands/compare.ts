import { UsageError } from '../../contract/usage-error.ts';
import { writeWhole } from '../../evidence/whole-file.ts';
import { compareReports, type ReportComparison } from '../../report/compare/compare-reports.ts';
import { escapeJson } from '../../report/escape.ts';
import { checkFiles, isStandardOutput, messageOf, namedFiles } from '../files.ts';
import { readReporter, wantsColor } from '../output.ts';
import { print, printMessage } from '../printer.ts';
import { readResult } from '../read-result.ts';

/** The options of `compare`. */
export interface CompareFlags {
  readonly reporter?: readonly string[];
  readonly color?: boolean;
}

type Render = (comparison: ReportComparison, options: { readonly color: boolean }) => string;

const REPORTERS: ReadonlyMap<string, () => Promise<Render>> = new Map<string, () => Promise<Render>>([
  ['terminal', async () => (await import('../../report/compare/terminal.ts')).renderComparison],
  ['json', async () => (comparison) => escapeJson(`${JSON.stringify(comparison, null, 2)}\n`)],
  ['markdown', async () => (await import('../../report/compare/markdown.ts')).renderComparison],
  ['html', async () => (await import('../../report/compare/html.tsx')).renderComparison],
]);

/**
 * `compare A B`: says what became of each check between two runs, given as evidence or as JSON reports. Returns 0 where nothing is
 * worse, 1 where a check broke or is not decided any more, 4 where a page could not be written.
 */
export async function compare(before: string, after: string, flags: CompareFlags): Promise<number> {
  const outputs = await Promise.all((flags.reporter ?? ['terminal']).map(readOutput));
  if (before === '-' && after === '-') throw new UsageError('standard input holds one run: name a file for the other');
  checkFiles(namedFiles({ 'the first run': before, 'the second run': after }), outputs);
  const comparison = compareReports(await readResult(before), await readResult(after));
  let exitCode: number = comparison.exitCode;
  for (const { render, path } of outputs) {
    const isShown = isStandardOutput(path);
    const page = render(comparison, { color: isShown && wantsColor(flags.color) });
    if (isShown) {
      print(page);
      continue;
    }
    try {
      writeWhole(path, page);
    } catch (error) {
      printMessage(`lost: ${path}: ${messageOf(error)} (exit code 4)`);
      exitCode = 4;
    }
  }
  return exitCode;
}

async function readOutput(specification: string): Promise<{ option: string; path: string; render: Render }> {
  const { name, reporter, file, option } = await readReporter(specification, REPORTERS);
  const path = file || '-';
  if (name === 'html' && isStandardOutput(path)) throw new UsageError('--reporter html takes a file: html=FILE');
  return { option, path, render: reporter };
}
