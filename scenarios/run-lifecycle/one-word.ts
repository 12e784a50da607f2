import { member } from '../../src/contract/discovery.ts';
import type { Mismatch } from '../../src/contract/outcome.ts';
import { endOf, isOwnWord } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { endsOtherwise } from '../shared/snapshot-fault.ts';

/** Two runs whose snapshots show one word for two ends. */
interface Alike<Run> {
  readonly run: Run;
  readonly other: Run;
  readonly mismatch: Mismatch;
}

/**
 * Two runs that came to two ends, and whose snapshots show one word of the host's own for both. Unknown statuses are tolerated (wire-contract,
 * Documents), but a client that only polls has to see how a run ended (readings): by its error, or by a member that says so.
 */
export function oneWordForTwoEnds<Run extends RunObservation>(runs: readonly Run[]): Alike<Run> | undefined {
  const first = new Map<string, Run>();
  for (const run of runs) {
    const [status, end] = [member(run.snapshot, 'status'), endIn(run)];
    // An empty text is no word: the row about shapes says so.
    if (status === '' || !isOwnWord(status) || end === undefined) continue;
    const other = first.get(status);
    if (other === undefined) first.set(status, run);
    else if (endIn(other) !== end && !showsItsEnd(run) && !showsItsEnd(other)) {
      const ends = `their logs end as ${shown(endIn(other))} and as ${shown(end)}`;
      const expected = `a status in the snapshot of ${named(run)} that is not that of ${named(other)}: ${ends}`;
      return { run, other, mismatch: { expected, actual: `${shown(status)} in both` } };
    }
  }
  return undefined;
}

function endIn(run: RunObservation): string | undefined {
  const events = eventsOf(run);
  return endsOtherwise(events) ? undefined : endOf(events);
}

/** Whether a snapshot says in another way than by its status how the run ended: by an error, or by the end's name under any other. */
function showsItsEnd(run: RunObservation): boolean {
  const error = member(run.snapshot, 'error') ?? null;
  if (error !== null && error !== false && endIn(run) === 'failed') return true;
  return Object.values(Object(run.snapshot)).includes(endIn(run));
}
