import { member } from '../../src/contract/discovery.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { codeInEvent, codeInSnapshot } from '../shared/read-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import type { SnapshotFault } from '../shared/snapshot-fault.ts';

/** A failed run whose snapshot leaves out the error that another one's shows. */
interface Hidden<Run> {
  readonly run: Run;
  readonly other: Run;
  readonly fault: SnapshotFault;
}

/**
 * Failed runs whose snapshots leave out the error, on a host that shows it for another failed run. Errors are optional (wire-contract,
 * Documents), so that a host may show none; who shows them has a client take a failed run without one for a run without one.
 */
export function hiddenErrors<Run extends RunObservation>(runs: readonly Run[]): readonly Hidden<Run>[] {
  const failed = runs.flatMap((run) => {
    const end = failureOf(run);
    return end === undefined ? [] : [{ run, end }];
  });
  const other = failed.find(({ run, end }) => codeInSnapshot(run.snapshot) === codeInEvent(end))?.run;
  if (other === undefined) return [];
  return failed.flatMap(({ run, end }) => {
    if (!hidesError(run)) return [];
    const expected = `/error/code ${shown(codeInEvent(end))} in the snapshot of ${named(run)}, as in sequence ${end.sequence}, run.failed: that of ${named(other)} shows its error`;
    return [{ run, other, fault: { expected, actual: noErrorIn(run), code: 'snapshot-other-error' } }];
  });
}

function noErrorIn({ snapshot }: RunObservation): string {
  return member(snapshot, 'error') === null ? '/error is null' : 'no /error';
}

/** Whether a run failed with an error in its log, and its snapshot has none: null says no more than leaving it out. */
export function hidesError(run: RunObservation): boolean {
  return failureOf(run) !== undefined && isRecord(run.snapshot) && (member(run.snapshot, 'error') ?? null) === null;
}

/** The event with which a log says why its run failed; undefined where it has none, or another end as well. */
function failureOf(run: RunObservation): RunEvent | undefined {
  const [end, ...more] = run.problem === null ? eventsOf(run).filter(endsRun) : [];
  return end?.type === 'run.failed' && more.length === 0 && codeInEvent(end) !== undefined ? end : undefined;
}
