import { member } from '../../src/contract/discovery.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { compareLogs, comparePrefixes, eventsOf, named, rawOf } from '../shared/compare-runs.ts';
import type { Compared } from '../shared/compared.ts';
import type { SeenRun } from '../shared/need.ts';
import { nodeOf } from '../shared/node-of.ts';
import { readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';
import { wrong } from './diagnoses.ts';
import { RAISED } from './met.ts';

/** What the history of a replay is measured by: its source, the node that diverged, and what was declared volatile. */
export interface Standing {
  readonly source: SeenRun;
  readonly nodeId: string;
  readonly volatile: readonly string[];
}

/**
 * Compares what a replay has before its diverging call with its source's: the fixed history of one that starts at a
 * sequence number (0041 §C.1), else all events before the first one of that node; then the variables that were written,
 * where snapshots show variables (0041 §B, §C.2).
 */
export function compareHistories({ source, nodeId, volatile }: Standing, replay: SeenRun): Compared {
  const [ours, theirs] = [before(source, nodeId), before(replay, nodeId)];
  if (ours === undefined || theirs === undefined) {
    const run = ours === undefined ? source : replay;
    return { kind: 'unreadable', reason: `no event of ${named(run)} is about ${nodeId}` };
  }
  const fromSeq = replay.fork?.fromSeq ?? null;
  const compared =
    fromSeq === null
      ? compareLogs({ ...source, events: rawOf(ours) }, { ...replay, events: rawOf(theirs) }, volatile)
      : comparePrefixes(source, replay, fromSeq, volatile);
  return compared.kind === 'same' ? compareVariables(source, replay) : compared;
}

/** The events before the first one that is about a node, or says that the replay diverged. */
function before(run: SeenRun, nodeId: string): readonly RunEvent[] | undefined {
  const events = eventsOf(run);
  const at = events.findIndex((event) => nodeOf(event) === nodeId || event.type === RAISED);
  return at === -1 ? undefined : events.slice(0, at);
}

/** Whether the snapshot of the failed replay still has what its log wrote, on a host whose snapshots show that. */
function compareVariables(source: SeenRun, replay: SeenRun): Compared {
  const [shown, answer] = [readSnapshotAgainstLog(source), readSnapshotAgainstLog(replay)];
  const showsVariables = shown.kind === 'agrees' && isRecord(member(source.snapshot, 'variables'));
  if (!showsVariables || answer.kind !== 'differs') return { kind: 'same' };
  const { code, ...mismatch } = answer.fault;
  return code === 'snapshot-other-variable'
    ? { kind: 'different', mismatch: { ...mismatch, diagnosis: wrong('history-lost') } }
    : { kind: 'same' };
}
