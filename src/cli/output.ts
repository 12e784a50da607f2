import { writeFileSync } from 'node:fs';
import type { Report } from '../contract/report.ts';
import { RENDERERS, type Renderer } from '../report/index.ts';
import { UsageError } from './usage-error.ts';

/** One `--reporter name[=file]`; without a file it goes to standard output. */
export interface Output {
  readonly name: string;
  readonly render: Renderer;
  readonly file: string | undefined;
}

/** Reads the reporters; an unknown name is a usage error. The terminal page is the default. */
export function readOutputs(specifications: readonly string[] = []): readonly Output[] {
  const outputs = (specifications.length === 0 ? ['terminal'] : specifications).map((specification) => {
    const [name = '', ...rest] = specification.split('=');
    const file = rest.join('=');
    const render = RENDERERS.get(name);
    if (render === undefined) {
      throw new UsageError(`no reporter is called ${JSON.stringify(name)}: ${[...RENDERERS.keys()].join(', ')}`);
    }
    return { name, render, file: file === '' ? undefined : file };
  });
  if (outputs.filter((output) => output.file === undefined).length > 1) {
    throw new UsageError('only one reporter can write to standard output: give the others a file (name=file)');
  }
  for (const { file } of outputs) if (file !== undefined) writeReport(file, '');
  return outputs;
}

/** Renders a report to every output. Files are plain; standard output has colour on a terminal or when asked for. */
export function writeOutputs(report: Report, outputs: readonly Output[], color: boolean | undefined): void {
  for (const output of outputs) {
    if (output.file === undefined) process.stdout.write(output.render(report, { color: wantsColor(color) }));
    else writeReport(output.file, output.render(report, { color: false }));
  }
}

/** NO_COLOR and FORCE_COLOR are honoured; the flag wins over both; a pipe is plain. */
function wantsColor(flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag;
  const force = process.env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if ((process.env['NO_COLOR'] ?? '') !== '') return false;
  return process.stdout.isTTY;
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
