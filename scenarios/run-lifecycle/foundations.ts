import type { Foundation } from '../../src/runner/scenario.ts';
import { faultBesideSource } from '../shared/beside-source.ts';
import { isRun } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { RecordedRun } from '../shared/need.ts';
import { isAgainstItsLog, readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';

/** Whether a run's snapshot agreed with its log when it was read before: it was changed since, as rows about that say. */
function agreedBefore({ id, runId }: RecordedRun, among: readonly RecordedRun[]): boolean {
  const before = among.slice(
    0,
    among.findIndex((run) => run.id === id),
  );
  return before.some((run) => run.runId === runId && readSnapshotAgainstLog(run).kind === 'agrees');
}

/**
 * A run that is not made, or not read, decides nothing; a snapshot that is not that of its own log says nothing about anything
 * else.
 */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.runs,
    isBrokenBy: (observation) =>
      isRun(observation) &&
      observation.fork === null &&
      (observation.problem !== null || observation.snapshot === null),
  },
  {
    check: FOUNDATIONS.snapshots,
    isBrokenBy: (observation) => isRun(observation) && isAgainstItsLog(observation),
    without: (observation, _, beside) => {
      if (!isRun(observation)) return undefined;
      const runs = beside.filter((each) => isRun(each));
      const isOtherwise = isAgainstItsLog(observation) || faultBesideSource(observation, runs) !== undefined;
      return isOtherwise && !agreedBefore(observation, runs) ? { snapshot: null } : undefined;
    },
  },
];
