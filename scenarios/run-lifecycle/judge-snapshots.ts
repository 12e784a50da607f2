import type { Judgement } from '../../src/contract/verdict.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { wrong } from './diagnoses.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { readSnapshotAgainstLog, SNAPSHOTS } from '../shared/snapshot-fault.ts';

/**
 * Judges the snapshots of a scenario's own runs, and of every run that another one followed to its end. Only the own ones
 * were given the time to catch up with their logs.
 */
export function judgeSnapshots(own: readonly Recorded<RunObservation>[], everything: Everything): Judgement {
  const ownIds = new Set(own.map(({ id }) => id));
  const others = firstOfEach(wholeRunsIn(everything).filter(({ id }) => !ownIds.has(id)));
  const answers = [...own, ...others].map((run) => ({ run, answer: readSnapshotAgainstLog(run) }));
  for (const { run, answer } of answers) {
    const isWrong = answer.kind === 'differs' || (answer.kind === 'behind' && ownIds.has(run.id));
    if (!isWrong) continue;
    const { code, ...mismatch } = answer.fault;
    return failing(SNAPSHOTS, { ...mismatch, diagnosis: wrong(code) }, [run]);
  }
  const agreeing = answers.filter(({ answer }) => answer.kind === 'agrees').map(({ run }) => run);
  if (agreeing.length > 0) return passing(SNAPSHOTS, agreeing, `${agreeing.length} snapshots beside their logs`);
  return undecided(SNAPSHOTS, 'no run was seen to end and to show a snapshot', own);
}

/** A run that is read again later may have been changed by then: that is for the rows about it to judge. */
function firstOfEach(runs: readonly Recorded<RunObservation>[]): readonly Recorded<RunObservation>[] {
  const seen = new Set<string | null>();
  return runs.filter(({ runId }) => {
    const isFirst = !seen.has(runId);
    seen.add(runId);
    return isFirst;
  });
}
