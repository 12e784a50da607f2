import { checkFiles, namedFiles } from '../files.ts';
import { judgeWhole } from '../judge-recorded.ts';
import type { JudgeFlags } from '../options.ts';
import { outputFiles, readOutputs, writeOutputs } from '../output.ts';

/** `judge` and `report`: judges recorded evidence again, offline, and renders it. Returns the verdict's exit code. */
export async function judge(file: string, flags: JudgeFlags): Promise<number> {
  const outputs = await readOutputs(flags.reporter);
  checkFiles(namedFiles({ 'the evidence': file, '--baseline': flags.baseline }), outputFiles(outputs));
  const { report, records } = await judgeWhole(file, flags);
  return writeOutputs(report, outputs, { ...flags, records });
}
