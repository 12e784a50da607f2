import { member } from '../../src/contract/discovery.ts';
import type { Probe } from '../../src/host/probe.ts';
import { endsRun, isEnded, terminalStatus } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { startAsking } from '../shared/answering.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { isAsking } from '../shared/open-question.ts';
import { hasEnded } from '../shared/past-question.ts';
import { isSeen, readAgain, type RunObservation } from '../shared/run-observation.ts';
import type { SnapshotFault } from '../shared/snapshot-fault.ts';

/** The roles of a run that was left where it waits for an answer, and of the same one after it was cancelled. */
export const [WAITING, CANCELLED] = ['waiting run', 'cancelled run'];

/** A run that waits, and the same one cancelled; none where the host runs nothing that asks, or cancels nothing. */
export async function cancelWaiting(probe: Probe): Promise<readonly RunObservation[]> {
  const { run } = await startAsking(probe, WAITING);
  if (!isSeen(run) || hasEnded(run) || !eventsOf(run).some(isAsking)) return [];
  const { status, exchanges } = await cancelRun(probe, run.runId);
  if (status === null || !isSuccess(status)) return [run];
  const cancelled = await readAgain(probe, run, { role: CANCELLED });
  return isSeen(cancelled) ? [run, { ...cancelled, exchanges: [...exchanges, ...cancelled.exchanges] }] : [run];
}

/**
 * What is wrong with the snapshot of a run that waited: it says an end other than the one that the log came to later. A run has
 * one end, so that it does not matter what happened between the two readings.
 */
export function endedEarly(waiting: RunObservation, later: RunObservation): SnapshotFault | undefined {
  const [status, end] = [member(waiting.snapshot, 'status'), eventsOf(later).find(endsRun)];
  if (!isEnded(status) || end === undefined || status === terminalStatus(end.type)) return undefined;
  const question = eventsOf(waiting).find(isAsking);
  const asked = question === undefined ? '' : `it asks in sequence ${question.sequence}, ${question.type}, and `;
  return {
    expected: `the status of a run that goes on in the snapshot of ${named(waiting)}: ${asked}its log ends later, in sequence ${end.sequence}, ${end.type}`,
    actual: shown(status),
    code: 'snapshot-ended-early',
  };
}
