import { UsageError } from '../../contract/usage-error.ts';
import type { EndRecord, RunRecord } from '../../evidence/types.ts';
import { buildIn, createMerger, endOfAll, mergeRuns, type ShardRun, withLate } from '../../runner/merge-runs.ts';
import { SUITES } from '../../../scenarios/index.ts';
import { checkFiles, onDisk } from '../files.ts';
import { openEvidence } from '../output.ts';
import { printMessage } from '../printer.ts';
import { createCleaner, recordsIn } from '../read-evidence.ts';

/**
 * `merge FILES…`: puts the evidence of all shards of one run together, as one run would have recorded it, line by line, without credentials that the
 * environment holds. Returns 0, 2 where they are no parts of one run, 4 where the evidence could not be written.
 */
export async function merge(files: readonly string[], { evidence }: { readonly evidence: string }): Promise<number> {
  checkFiles(
    files.map((path) => ({ option: 'a shard', path: onDisk('a shard', path) })),
    [{ option: '--evidence', path: evidence }],
  );
  const runs: ShardRun[] = [];
  for (const file of files) runs.push(await shardIn(file));
  const merged = mergeRuns(
    runs,
    SUITES.flatMap(({ scenarios }) => scenarios.map(({ id }) => id)),
  );
  if (!merged.ok) throw new UsageError(merged.message);
  const output = openEvidence(evidence);
  const rename = createMerger();
  const clean = createCleaner(runs.map(({ run }) => run));
  const ends: EndRecord[] = [];
  let leftOut = 0;
  output.write(clean(merged.run));
  for (const [index, file] of merged.files.entries()) {
    let end: EndRecord | undefined;
    for await (const { record } of recordsIn(file)) {
      if (record.kind === 'end') end = record;
      const kept = rename(record, index === 0);
      if (kept === undefined) {
        leftOut += record.kind === 'observation' ? 1 : 0;
        continue;
      }
      output.write(clean(kept));
      if (end !== undefined) end = withLate(end, kept);
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
  for await (const { record } of recordsIn(file)) {
    if (record.kind === 'run') run ??= record;
    const build = buildIn(record);
    if (run !== undefined && build !== undefined) return { file, run, build };
  }
  if (run !== undefined) return { file, run };
  throw new UsageError(`${file}: no run line: this is no evidence file, or its start is missing`);
}
