import { closeSync, openSync, readSync } from 'node:fs';
import { contradictingVerdicts } from '../certificate/contradictions.ts';
import { certifiedRun } from '../certificate/statement.ts';
import type { Report } from '../contract/report.ts';
import { UsageError } from '../contract/usage-error.ts';
import { isTooDeep, MAX_JSON_DEPTH } from '../evidence/json-depth.ts';
import { faultsIn } from '../contract/validate.ts';
import { messageOf, onDisk } from './files.ts';
import { readTextFile } from './text-file.ts';
import { judgeRecorded } from './judge-recorded.ts';

/** Bytes of a JSON report that are read. */
const MOST_BYTES = 64 * 1_048_576;
/** Enough to know evidence by: its first line is the run's. */
const HEAD_BYTES = 1_048_576;

/** The report of an earlier run: of its evidence, judged anew, or the JSON report itself. Throws UsageError for what is neither. */
export async function readResult(path: string): Promise<Report> {
  const isEvidenceFile = path === '-' || isEvidence(onDisk('an earlier run', path));
  return isEvidenceFile ? judgeRecorded(path, {}) : readReport(path);
}

/** A JSON report. Throws UsageError for what is none. */
export function readReport(path: string): Report {
  const text = readTextFile(path, MOST_BYTES, (problem) => wrong(path, problem));
  let value: unknown;
  try {
    if (isTooDeep(text)) throw new Error(`it nests deeper than ${MAX_JSON_DEPTH} levels`);
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(path, messageOf(error));
  }
  const [fault] = faultsIn('report', value);
  if (fault !== undefined) throw wrong(path, `${fault.pointer || 'the whole'} ${fault.wrong}`);
  const report = value as Report;
  const contradiction = twice(report) ?? contradictingVerdicts(certifiedRun(report))[0];
  if (contradiction !== undefined) throw new UsageError(`${path}: the report contradicts itself: ${contradiction}`);
  return report;
}

function twice({ checks }: Report): string | undefined {
  const known = new Set<string>();
  const again = checks.find(({ id }) => known.size === known.add(id).size);
  return again && `it has ${again.id} twice`;
}

function wrong(path: string, problem: string): UsageError {
  return new UsageError(`${path}: neither evidence nor a JSON report: ${problem}`);
}

/** A JSON report is one value over many lines, or one line that is no record of a kind. */
function isEvidence(path: string): boolean {
  const [line = ''] = headOf(path)
    .replace(/^\ufeff/u, '')
    .trimStart()
    .split('\n', 1);
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'kind' in value;
  } catch {
    return false;
  }
}

function headOf(path: string): string {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(HEAD_BYTES);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`, { cause: error });
  }
}
