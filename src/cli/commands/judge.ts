import { validate } from '../../contract/validate.ts';
import { readEvidenceLines } from '../../evidence/ndjson.ts';
import { createUnpacker } from '../../evidence/packed-observation.ts';
import type { EvidenceRecord, Json, RunRecord } from '../../evidence/types.ts';
import { judgeRun, type JudgeOptions } from '../../runner/judge.ts';
import { checkFiles, messageOf, openInput } from '../files.ts';
import { DEFAULT_FORKS, type JudgeFlags } from '../options.ts';
import { readOutputs, writeOutputs } from '../output.ts';
import { SUITES } from '../suites.ts';
import { UsageError } from '../usage-error.ts';

/** `judge` and `report`: judges recorded evidence again, offline, and renders it. Returns the verdict's exit code. */
export async function judge(file: string, flags: JudgeFlags): Promise<number> {
  const outputs = readOutputs(flags.reporter);
  checkFiles([{ option: 'the evidence', path: file }], outputs);
  const records = await readEvidence(file);
  const run = records.find((record) => record.kind === 'run');
  if (run === undefined)
    throw new UsageError(`${file}: no run line: this is no evidence file, or its start is missing`);
  const unknown = run.scenarios.filter(
    (id) => !SUITES.some((suite) => suite.scenarios.some((known) => known.id === id)),
  );
  if (unknown.length > 0) {
    throw new UsageError(
      `${file}: this version does not know the scenarios ${unknown.join(', ')}: judge it with the version that wrote it`,
    );
  }
  const report = judgeRun(records, SUITES, readJudgeOptions(run, flags));
  return writeOutputs(report, outputs, { color: flags.color });
}

async function readEvidence(file: string): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  let first: FirstRun | undefined;
  const unpack = createUnpacker();
  try {
    for await (const line of readEvidenceLines(openInput(file))) {
      if (!line.ok) throw new UsageError(`${file}:${line.line}: ${line.message}`);
      const [violation] = validate(`evidence${definitionOf(line.value)}`, line.value);
      if (violation !== undefined) {
        throw new UsageError(`${file}:${line.line}: ${violation.pointer || 'the line'} ${violation.message}`);
      }
      const record = line.value as EvidenceRecord;
      if (record.kind === 'run') {
        if (first !== undefined) throw new UsageError(twoRuns(file, first, { run: record, line: line.line }));
        first = { run: record, line: line.line };
      }
      records.push(record.kind === 'observation' ? unpack(record) : record);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${messageOf(error)}`, { cause: error });
  }
  return records;
}

interface FirstRun {
  readonly run: RunRecord;
  readonly line: number;
}

function twoRuns(file: string, ...runs: readonly FirstRun[]): string {
  const named = runs.map(({ run, line }) => `line ${line}: ${run.target.baseUrl}, started ${run.startedAt}`);
  return `${file} holds two runs (${named.join('; ')}): judge them apart`;
}

const KINDS = ['run', 'plan', 'exchange', 'observation', 'driven', 'end'];

/** The schema of a line's own kind, so that a violation names the member and not every kind that it is not. */
function definitionOf(value: unknown): string {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  return typeof kind === 'string' && KINDS.includes(kind) ? `#${kind}` : '';
}

/** The options under which the evidence was taken; the flags may change what only concerns the verdict. */
function readJudgeOptions(run: RunRecord, flags: JudgeFlags): JudgeOptions {
  const { seed, vectors, forks, crash, recipe, level, allowInconclusive, requirements, volatile } = run.options;
  if (typeof seed !== 'number' || typeof vectors !== 'number' || (recipe !== 'rfc-0041' && recipe !== 'rfc-0150')) {
    throw new UsageError('the run line names no seed, vectors or recipe');
  }
  return {
    seed,
    vectors,
    forks: typeof forks === 'number' ? forks : DEFAULT_FORKS,
    crash: crash === 'full' || crash === 'none' ? crash : 'quick',
    recipe,
    level: flags.level ?? (level === 'should' ? 'should' : 'must'),
    allowInconclusive: flags.allowInconclusive ?? allowInconclusive === true,
    requirements: textsIn(requirements),
    volatile: textsIn(volatile),
  };
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
