import { member } from '../../src/contract/discovery.ts';
import { endOf, isBusy, isParked, kindOfStatus } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from './compare-runs.ts';
import type { RunObservation } from './run-observation.ts';
import type { SnapshotFault } from './snapshot-fault.ts';

/**
 * What is wrong with a fork's snapshot that has a word of the host's own for an end which its source's snapshot calls by the wire's.
 * Unknown statuses are tolerated (wire-contract, Documents), but two words for one end are two states. Undefined where nothing is.
 */
export function ownWordFault(fork: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  if (fork.fork === null || fork.problem !== null) return undefined;
  const end = endOf(eventsOf(fork));
  const status = member(fork.snapshot, 'status');
  const isOwn = kindOfStatus(status) === undefined && !isBusy(status) && !isParked(status);
  if (end === undefined || typeof status !== 'string' || !isOwn) return undefined;
  const { sourceRunId } = fork.fork;
  const source = among.find(({ runId, problem }) => problem === null && runId !== null && runId === sourceRunId);
  if (source === undefined || endOf(eventsOf(source)) !== end || member(source.snapshot, 'status') !== end)
    return undefined;
  return {
    expected: `/status ${shown(end)} in the snapshot of ${named(fork)}, as in that of ${named(source)}: both logs end so`,
    actual: shown(status),
    code: 'snapshot-other-end',
  };
}
