import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { sequenceOf, typeOf } from '../../src/host/log/shown.ts';
import { endOf, isOwnWord } from '../../src/protocol/run-status.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { runIdsAgain } from '../../src/runner/shared-runs.ts';
import { eventsOf, named, rawOf, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { type AnyRun, wholeRunsIn } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { addedToSource, lostSource } from '../shared/lost-source.ts';
import { need, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { childrenReadTwice, SOURCE_AGAIN, SOURCE_TWICE } from '../shared/past-the-end.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { failureOf } from '../shared/settle.ts';
import { SWEEP, WAITS_ON } from '../shared/swept-runs.ts';
import { changedMembers, logChange, SNAPSHOT_MEMBERS, snapshotChange } from '../shared/source-change.ts';
import { sharedCause } from '../shared/diagnoses.ts';

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

/** Rows of their own tell of what these scenarios read again. */
const TOLD_ELSEWHERE = /^(?:fork\.(?!branch-is-independent)|refusal\.)/u;

/**
 * The same of all sources that other scenarios read again: a log only grows, so that of a run that waited begins as it did, and that of one
 * that had ended is what it was.
 */
export function judgeEverySource(own: Outcome, everything: Everything): Outcome {
  if (failureOf([own]) !== undefined) return own;
  const all = wholeRunsIn(everything).filter(({ scenario }) => !TOLD_ELSEWHERE.test(scenario));
  const forked = new Set(all.map(({ fork }) => fork?.sourceRunId ?? undefined));
  // What is read under an id that two runs have may be of either: that is for the row about ids to say.
  for (const { runId } of runIdsAgain(everything)) forked.delete(runId);
  const first = new Map<string | null, AnyRun>();
  const outcomes = all.flatMap((run) => {
    const before = first.get(run.runId);
    if (run.problem !== null || !forked.has(run.runId ?? undefined)) return [];
    if (before === undefined) first.set(run.runId, run);
    const change = before && (endOf(eventsOf(before)) === undefined ? grown(before, run) : changeOf(before, run));
    return change === undefined ? [] : [fail(change, [run, before ?? run])];
  });
  return failureOf([...outcomes, ...sweptAgain(everything, first), ...childrenAgain(everything)]) ?? own;
}

/** What an event of a child says; a host that names or dates events anew in each reading is named for that. */
const SAID: readonly string[] = ['type', 'sequence', 'seq', 'nodeId', 'payload', 'data'];

/** Logs of children of a source that replays of it have changed: its children are part of what happened in it. */
function childrenAgain(everything: Everything): readonly Outcome[] {
  return childrenReadTwice(everything).flatMap(({ before, after }) => {
    const [was, is] = [before, after].map(({ run, runId, events }) => ({
      role: run,
      runId,
      events: events.map(({ data }) => data),
    }));
    const change = was && is && logChange(was, is, SAID);
    if (change === undefined) return [];
    // What comes behind the ends of all runs is no doing of these replays.
    return [fail({ ...change, restsOn: FOUNDATIONS.ends }, [after, before])];
  });
}

/** What a log shows otherwise than it did when it was not over. */
function grown(before: AnyRun, after: AnyRun): Difference | undefined {
  const count = eventsOf(before).length;
  if (after.role === WAITS_ON && member(after.snapshot, 'status') === 'cancelled') {
    return {
      diagnosis: sharedCause('source-changed'),
      expected: `${named(before)} is not cancelled: nobody wants that`,
      actual: 'its snapshot says cancelled',
    };
  }
  return logChange(before, { ...after, events: rawOf(eventsOf(after).slice(0, count)) });
}

/** Events that every reading of a log shows, whatever else a host streams. */
const LASTING =
  /^(?:run\.(?:started|completed|failed|cancelled)|node\.(?:started|completed|failed)|variable\.changed)$/u;

/** Swept sources that have lost an event since they were forked, or show another in its place; events without numbers show nothing. */
function sweptAgain(everything: Everything, sources: ReadonlyMap<string | null, AnyRun>): readonly Outcome[] {
  return everything.filter(isWholeReading).flatMap((reading) => {
    const source = sources.get(reading.runId);
    if (source?.fork !== null || endOf(eventsOf(source)) === undefined) return [];
    if (reading.events.some((each) => sequenceOf(each) === undefined)) return [];
    const shownAt = new Map(reading.events.map((each) => [sequenceOf(each), each]));
    const lost = eventsOf(source).find(({ type, sequence }) => {
      const event = shownAt.get(sequence);
      return LASTING.test(type) && (event === undefined || typeOf(event) !== type);
    });
    if (lost === undefined) return [];
    const is = shownAt.get(lost.sequence);
    const expected = `sequence ${lost.sequence} (${lost.type}) in ${named(source)}, as before its forks`;
    const actual = `${is === undefined ? 'no such event' : (typeOf(is) ?? 'an event of no type')} in its log afterwards`;
    return [
      fail({ diagnosis: sharedCause('source-changed'), expected, actual, restsOn: FOUNDATIONS.readings }, [
        reading,
        source,
      ]),
    ];
  });
}

function isWholeReading(each: Everything[number]): each is Everything[number] & ReadingObservation {
  if (each.type !== 'reading' || each.scenario !== SWEEP) return false;
  const { cut, partial, how } = each as Everything[number] & ReadingObservation;
  return cut !== true && !partial && how === 'start';
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
export function changeOf(before: RecordedRun, after: RunObservation): Difference | undefined {
  return logChange(before, after) ?? readChange(before, after);
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

function readChange(before: RecordedRun, after: RunObservation): Difference | undefined {
  return unread(before) !== undefined || after.snapshot === null ? undefined : snapshotChange(before, after);
}
