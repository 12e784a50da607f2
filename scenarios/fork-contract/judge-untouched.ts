import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { endOf, isOwnWord } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { addedToSource, lostSource } from '../shared/lost-source.ts';
import { need, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { SOURCE_AGAIN, SOURCE_TWICE } from '../shared/past-the-end.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { changedMembers, logChange, SNAPSHOT_MEMBERS } from '../shared/source-change.ts';

export { logChange };

/**
 * Judges that a run is after forks what it was before (replay.md, Two modes: the original run is unmodified), on a host that
 * carried out the control, a fork in between.
 */
export function judgeUntouched(recorded: Recordings): Outcome {
  const lost = lostSource(recorded, SOURCE_TWICE);
  if (lost !== undefined) return fail(lost.mismatch, lost.evidence);
  const runs = need(recorded, 'source', SOURCE_AGAIN);
  if (isOutcome(runs)) return runs;
  const { source: before, [SOURCE_AGAIN]: after } = runs;
  const added = addedToSource(recorded, SOURCE_TWICE);
  if (added !== undefined) return fail(added.mismatch, added.evidence);
  const evidence = [after, before];
  const change = changeOf(before, after);
  if (change !== undefined) return fail(change, evidence);
  const left = unread(before) ?? unread(after);
  if (left !== undefined) return left;
  const others = changedMembers(before, after, (name) => !SNAPSHOT_MEMBERS.has(name));
  if (others.length === 0) return pass(evidence);
  return pass(evidence, `members of the snapshot that no document names changed: ${others.join(', ')}`);
}

/** Judges that a fork is after forks of its own what it was before. Both roles are those of its readings. */
export function judgeForkUntouched(recorded: Recordings, parent: string, again: string, second: string): Outcome {
  const runs = need(recorded, 'source', parent, second, again);
  if (isOutcome(runs)) return runs;
  const [before, after] = [runs[parent], runs[again]];
  if (before === undefined || after === undefined) return undecided(`the ${parent} was not read again`, []);
  const change = changeOf(before, after);
  if (change !== undefined) return fail(change, [after, before]);
  return unread(before) ?? unread(after) ?? pass([after, before]);
}

/** What a run shows otherwise than before, in its log, else in its snapshot; undefined where it is what it was. */
function changeOf(before: RecordedRun, after: RunObservation): Difference | undefined {
  return logChange(before, after) ?? snapshotChange(before, after);
}

/** What is left of a snapshot that could not be read, or that had not caught up with its log: it shows no change. */
export function unread(run: RecordedRun): Outcome | undefined {
  if (run.snapshot === null) {
    return rests(FOUNDATIONS.runs, undecided(`the snapshot of ${named(run)} could not be read`, [run]));
  }
  const status = endOf(eventsOf(run));
  const shownStatus = member(run.snapshot, 'status');
  if (shownStatus === status || isOwnWord(shownStatus)) return undefined;
  const reason = `the snapshot of ${named(run)} says ${shown(shownStatus)}, its log says ${shown(status)}`;
  const isLacking = (shownStatus ?? null) === null;
  return rests(isLacking ? FOUNDATIONS.snapshotShapes : FOUNDATIONS.snapshots, undecided(reason, [run]));
}

function snapshotChange(before: RecordedRun, after: RunObservation): Difference | undefined {
  if (unread(before) !== undefined || after.snapshot === null) return undefined;
  const [name] = changedMembers(before, after, (each) => SNAPSHOT_MEMBERS.has(each));
  if (name === undefined) return undefined;
  return {
    expected: `snapshot /${name}: ${shown(member(before.snapshot, name))} as in ${named(before)}`,
    actual: `${shown(member(after.snapshot, name))} in ${named(after)}`,
  };
}
