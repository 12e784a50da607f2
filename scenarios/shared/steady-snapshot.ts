import type { RecordedRun } from './need.ts';
import { isAgainstItsLog, readSnapshotAgainstLog } from './snapshot-fault.ts';

/** The reading of a run before this one whose snapshot agreed with its log; undefined where there is none. */
export function agreedBefore({ id, runId }: RecordedRun, among: readonly RecordedRun[]): RecordedRun | undefined {
  const at = among.findIndex((run) => run.id === id);
  return among.slice(0, Math.max(0, at)).find((run) => run.runId === runId && agrees(run));
}

/** Whether a run is among these whose snapshot agreed with its log once, and at another time did not. */
export function isUnsteady(runs: readonly RecordedRun[]): boolean {
  const wrong = new Set(runs.filter(isAgainstItsLog).map(({ runId }) => runId));
  return runs.some((run) => wrong.has(run.runId) && agrees(run));
}

function agrees(run: RecordedRun): boolean {
  return readSnapshotAgainstLog(run).kind === 'agrees';
}
