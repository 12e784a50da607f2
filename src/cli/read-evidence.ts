import { validate } from '../contract/validate.ts';
import { MAX_JSON_DEPTH, nestsDeeper } from '../evidence/json-depth.ts';
import { readEvidenceLines } from '../evidence/ndjson.ts';
import { createPacker, createUnpacker } from '../evidence/packed-observation.ts';
import { redactRecord } from '../evidence/redact-record.ts';
import { createRedactor, isOrdinaryWord, type Redactor } from '../evidence/redact.ts';
import type { EvidenceRecord, Json, RunRecord } from '../evidence/types.ts';
import { CREDENTIAL_VARIABLES } from '../evidence/curl.ts';
import { messageOf, openInput } from './files.ts';
import { excerpt } from '../report/escape.ts';
import { contradictionIn } from '../runner/contradiction.ts';
import { UsageError } from '../contract/usage-error.ts';

/** An evidence file's records, each with its line. */
export interface RecordedRun {
  readonly run: RunRecord;
  readonly records: readonly EvidenceRecord[];
  /** The line of the file that holds a record, from 1. */
  readonly lineOf: (record: EvidenceRecord) => number;
}

/**
 * Reads an evidence file of one run. A usage error names the first wrong line: one that its schema does not allow, a second run,
 * a repeated id, a missing exchange, or lines that contradict each other. Credentials of the environment and credential headers
 * are removed once more, because the recording process may not have known them.
 */
export async function readEvidence(file: string): Promise<RecordedRun> {
  const lines = new Map<EvidenceRecord, number>();
  const wrong = (line: number, problem: string): UsageError => new UsageError(`${file}:${line}: ${problem}`);
  const ids = new Map<string, number>();
  let first: { readonly run: RunRecord; readonly line: number } | undefined;
  for await (const { record, line } of recordsIn(file)) {
    if (record.kind === 'run') {
      if (first !== undefined) throw new UsageError(twoRuns(file, first, { run: record, line }));
      first = { run: record, line };
    }
    if ('id' in record) {
      const before = ids.get(record.id);
      if (before !== undefined) throw wrong(line, `${record.id} stands in line ${before} already`);
      ids.set(record.id, line);
    }
    lines.set(record, line);
  }
  if (first === undefined) {
    throw new UsageError(`${file}: no run line: this is no evidence file, or its start is missing`);
  }
  for (const [record, line] of lines) {
    const missing = referencesOf(record).find((id) => !ids.has(id));
    if (missing !== undefined) throw wrong(line, `it rests on ${missing}, which stands nowhere in the file`);
  }
  const against = contradictionIn({
    run: first.run,
    records: [...lines.keys()],
    lineOf: (record) => lines.get(record) ?? 0,
  });
  if (against !== undefined) {
    throw wrong(lines.get(against.record) ?? 0, `the evidence contradicts itself: ${against.problem}`);
  }
  return withoutCredentials(first.run, lines);
}

/** The records of an evidence file, each as the schema of its kind allows. Throws UsageError. */
export async function* recordsIn(
  file: string,
): AsyncGenerator<{ readonly record: EvidenceRecord; readonly line: number }, void> {
  const unpack = createUnpacker();
  try {
    for await (const read of readEvidenceLines(openInput(file))) {
      const { line } = read;
      const wrong = (problem: string): UsageError => new UsageError(`${file}:${line}: ${problem}`);
      if (!read.ok) throw wrong(read.message);
      const violation = violationOf(read.value);
      if (violation !== undefined) throw wrong(violation);
      yield { record: unpacked(read.value as EvidenceRecord, unpack, wrong), line };
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** A host's document stands some levels deep in an observation. */
const DEEPEST = MAX_JSON_DEPTH + 32;

function unpacked(
  record: EvidenceRecord,
  unpack: ReturnType<typeof createUnpacker>,
  wrong: (problem: string) => UsageError,
): EvidenceRecord {
  if (record.kind !== 'observation') return record;
  try {
    return unpack(record);
  } catch (error) {
    throw wrong(messageOf(error));
  }
}

/** Characters of a kind that nobody knows. */
const SHOWN = 40;
const KINDS = ['run', 'plan', 'exchange', 'observation', 'driven', 'end'];

/** What the schema of a line's own kind says against it, so that it names the member and not every kind that it is not. */
function violationOf(value: unknown): string | undefined {
  if (nestsDeeper(value, DEEPEST)) return `the line nests deeper than ${DEEPEST} levels`;
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  const isKnown = typeof kind === 'string' && KINDS.includes(kind);
  if (typeof kind === 'string' && !isKnown) return `/kind is that of no line: ${excerpt(kind, SHOWN)}`;
  const definition = isKnown ? `#${kind}` : '';
  const [violation] = validate(`evidence${definition}`, value);
  return violation && `${violation.pointer || 'the line'} ${violation.message}`;
}

function twoRuns(file: string, ...runs: readonly { readonly run: RunRecord; readonly line: number }[]): string {
  const named = runs.map(({ run, line }) => `line ${line}: ${run.target.baseUrl}, started ${run.startedAt}`);
  return `${file} holds two runs (${named.join('; ')}): judge them apart`;
}

function referencesOf(record: EvidenceRecord): readonly string[] {
  return record.kind === 'observation' ? record.observation.exchanges : [];
}

/** Searched for where evidence names their variables: what is shorter might be any word. */
const SHORTEST_NAMED = 8;

/** The credentials that the environment holds under these names. */
function valuesOf(names: readonly string[]): readonly string[] {
  return names.map((name) => process.env[name] ?? '').filter((value) => value !== '' && !isOrdinaryWord(value));
}

/** What takes credentials out that the environment holds, under the usual names and those that runs have named; undefined where it holds none. */
export function environmentRedactor(runs: readonly RunRecord[] = []): Redactor | undefined {
  const named = valuesOf(runs.flatMap(({ options }) => namedVariables(options['credentialVariables'])));
  const credentials = [
    ...valuesOf(Object.values(CREDENTIAL_VARIABLES)),
    ...named.filter((value) => value.length >= SHORTEST_NAMED),
  ];
  return credentials.length === 0 ? undefined : createRedactor(credentials);
}

/** Makes what gives the records of runs without these credentials and without credential headers, large members packed. */
export function createCleaner(runs: readonly RunRecord[]): (record: EvidenceRecord) => EvidenceRecord {
  const redact = environmentRedactor(runs);
  const packer = createPacker();
  return (record) => {
    if (record.kind !== 'observation') return redactRecord(record, redact ?? ((text) => text));
    return packer.pack(redact === undefined ? record : redactRecord(record, redact));
  };
}

function withoutCredentials(run: RunRecord, lines: ReadonlyMap<EvidenceRecord, number>): RecordedRun {
  const clean = createCleaner([run]);
  const redacted = new Map([...lines].map(([record, line]) => [clean(record), line]));
  const records = [...redacted.keys()];
  return {
    run: records.find((record) => record.kind === 'run') ?? run,
    records,
    lineOf: (record) => redacted.get(record) ?? 0,
  };
}

function namedVariables(variables: Json | undefined): readonly string[] {
  const values: readonly unknown[] =
    typeof variables === 'object' && variables !== null ? Object.values(variables) : [];
  return values.filter((value) => typeof value === 'string');
}
