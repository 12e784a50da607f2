import { UsageError } from '../../contract/usage-error.ts';
import { openEvidenceFile, readEvidenceLines } from '../../evidence/ndjson.ts';
import { openWholeFile } from '../../evidence/whole-file.ts';
import type { EndRecord, EvidenceRecord, RunRecord } from '../../evidence/types.ts';
import { buildIn, createMerger, endOfAll, mergeRuns, type ShardRun } from '../../runner/merge-runs.ts';
import { SUITES } from '../../../scenarios/index.ts';
import { checkFiles, isStandardOutput, messageOf, openInput } from '../files.ts';
import { standardOutput } from '../output.ts';
import { printMessage } from '../printer.ts';

const OWNER_ONLY = 0o600;

/**
 * `merge FILES…`: puts the evidence of all shards of one run together, as one run would have recorded it, line by line. Returns 0, 2 where they are no
 * parts of one run, 4 where the evidence could not be written.
 */
export async function merge(files: readonly string[], { evidence }: { readonly evidence: string }): Promise<number> {
  checkFiles(
    files.map((path) => ({ option: 'a shard', path })),
    [{ option: '--evidence', path: evidence }],
  );
  const runs: ShardRun[] = [];
  for (const file of files) runs.push(await shardIn(file));
  const merged = mergeRuns(
    runs,
    SUITES.flatMap(({ scenarios }) => scenarios.map(({ id }) => id)),
  );
  if (!merged.ok) throw new UsageError(merged.message);
  const output = openEvidenceFile(isStandardOutput(evidence) ? standardOutput : openWholeFile(evidence, OWNER_ONLY));
  const rename = createMerger();
  const ends: EndRecord[] = [];
  let leftOut = 0;
  output.write(merged.run);
  for (const [index, file] of merged.files.entries()) {
    let end: EndRecord | undefined;
    for await (const record of recordsOf(file)) {
      if (record.kind === 'end') end = record;
      const kept = rename(record, index === 0);
      if (kept !== undefined) output.write(kept);
      else if (record.kind === 'observation') leftOut += 1;
    }
    if (end !== undefined) ends.push(end);
  }
  // Where a shard was cut off, so is the whole.
  if (ends.length === files.length) output.write(endOfAll(ends, leftOut));
  const lost = output.close();
  if (lost === undefined) return 0;
  printMessage(`lost: the evidence: ${evidence}: ${lost} (exit code 4)`);
  return 4;
}

/** What stands at the beginning of a shard: the run line, and whom it met. */
async function shardIn(file: string): Promise<ShardRun> {
  let run: RunRecord | undefined;
  for await (const record of recordsOf(file)) {
    if (record.kind === 'run') run ??= record;
    const build = buildIn(record);
    if (run !== undefined && build !== undefined) return { file, run, build };
  }
  if (run !== undefined) return { file, run };
  throw new UsageError(`${file}: no run line: this is no evidence file, or its start is missing`);
}

const KINDS: readonly string[] = [
  'run',
  'plan',
  'exchange',
  'observation',
  'driven',
  'end',
] satisfies EvidenceRecord['kind'][];

/** The records of a file as its lines hold them; whoever judges what is merged looks at each. */
async function* recordsOf(file: string): AsyncGenerator<EvidenceRecord, void> {
  try {
    for await (const read of readEvidenceLines(openInput(file))) {
      if (!read.ok) throw new UsageError(`${file}:${read.line}: ${read.message}`);
      if (!isRecord(read.value)) throw new UsageError(`${file}:${read.line}: no record of evidence`);
      yield read.value;
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Whether a line has what is read of it here. */
function isRecord(value: unknown): value is EvidenceRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id, observation, scenarios, options } = value as Readonly<Record<string, unknown>>;
  if (typeof kind !== 'string' || !KINDS.includes(kind)) return false;
  if (kind === 'run') return Array.isArray(scenarios) && typeof options === 'object' && options !== null;
  if (kind === 'exchange') return typeof id === 'string' && /^x\d{1,9}$/u.test(id);
  if (kind !== 'observation') return true;
  const exchanges: unknown =
    typeof observation === 'object' && observation !== null ? Reflect.get(observation, 'exchanges') : undefined;
  const isNumbered = typeof id === 'string' && /^o\d{1,9}$/u.test(id);
  return (
    isNumbered &&
    Array.isArray(exchanges) &&
    exchanges.every((each) => typeof each === 'string' && /^x\d{1,9}$/u.test(each))
  );
}
