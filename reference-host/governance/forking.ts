import type { ForkAsked } from '../policies/governance.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Answer } from '../types/answers.ts';
import type { Governed } from './expire.ts';

/** Why a fork cannot be made of what is left of its source; undefined where it can (replay.md, Retention and Privacy). */
export function refusedFork({ store, parts }: Governed, source: RunRecord, asked: ForkAsked): Answer | undefined {
  const retentionBoundary = store.expired.get(source.runId)?.beforeSeq;
  const paths = store.deletions.of(source.runId);
  const expired =
    retentionBoundary === undefined || asked.fromSeq >= retentionBoundary
      ? undefined
      : parts.governance.expiredFork({ ...asked, retentionBoundary });
  return expired ?? (paths.length === 0 ? undefined : parts.governance.deletedFork({ ...asked, paths }));
}

/** Records that a run was forked which has sensitive fields, or had some that were deleted. */
export function recordAudit({ store, secrets, parts }: Governed, source: RunRecord, run: RunRecord): void {
  const found = secrets.of(source);
  if (run.fork === undefined || (found.size === 0 && store.deletions.of(source.runId).length === 0)) return;
  const { mode, fromSeq } = run.fork;
  const entry = {
    action: 'run.forked',
    runId: run.runId,
    sourceRunId: source.runId,
    mode,
    fromSeq,
    at: new Date(store.now()).toISOString(),
  } as const;
  const kept = parts.governance.audit(entry, [...found.keys()]);
  if (kept !== undefined) store.audit.record(entry, kept);
}
