import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, undecidedUntil } from '../../src/contract/outcome.ts';
import { comparePrefixes, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { type Difference, outcomeOf, ownedBy } from '../shared/compared.ts';
import { declaring } from '../shared/volatile.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { sourceAmong, wholeRunsIn } from '../shared/every-run.ts';
import { EVENTS_NAMED, FOUNDATIONS, OF_A_REPLAY, SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { leftUndriven, leftWithout, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { CHAIN_EVENT, childrenNamedIn } from '../shared/read-event.ts';
import { failureOf, openOf } from '../shared/settle.ts';
import {
  BRANCH_AGAIN,
  FIRST_BRANCH,
  GIVEN_BRANCH,
  GIVEN_SOURCE,
  OVERWRITTEN_BRANCH,
  OVERWRITTEN_SOURCE,
  HANDING_BRANCH,
  HANDING_SOURCE,
  RANDOM_BRANCH,
  RANDOM_SOURCE,
  WRITTEN_BRANCH,
  WRITTEN_SOURCE,
} from './branch-drive.ts';
import { OF_THE_CHILD } from './branch-child.ts';
import {
  FURTHER,
  LADEN_BRANCH,
  LADEN_SOURCE,
  REMEMBERING_BRANCH,
  REMEMBERING_SOURCE,
  REPLAY,
  REPLAY_BRANCH,
} from './further-branches.ts';
import { changeOf, logChange, unread } from './judge-untouched.ts';
import { SOURCE_AGAIN } from '../shared/past-the-end.ts';
import { wrong } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** A source and those of its branches that were followed to their end, in the order in which they were made. */
export interface Swept {
  readonly source: RecordedRun;
  readonly branches: readonly RecordedRun[];
}

interface Pair {
  readonly source: RecordedRun | undefined;
  readonly branch: RecordedRun | undefined;
}

/** What the rows about branches judge. */
export interface Branches {
  /** Or what is left without a source and a branch. */
  readonly swept: Swept | Outcome;
  /** What is left of branches that were not followed to their end. */
  readonly left: Outcome | undefined;
  readonly random: Pair;
  /** What is driven in its place where a host does not have it. */
  readonly written: Pair;
  readonly given: Pair;
  readonly overwritten: Pair;
  readonly handing: Pair;
  /** A run with recorded facts. */
  readonly remembering: Pair;
  /** Its replay. */
  readonly replayed: Pair;
  /** A run that was given every kind of value. */
  readonly laden: Pair;
  /** The first branch and its source as they were first, and as they were after all branches. */
  readonly readTwice: readonly [branch: Twice, source: Twice];
}

type Twice = readonly [before: RecordedRun | undefined, after: RecordedRun | undefined];

/** The row about branches as runs of their own. */
const INDEPENDENT = 'fork.branch-is-independent';

/** Branches that have a source of their own, or are read twice. */
const BESIDE: ReadonlySet<string> = new Set([
  BRANCH_AGAIN,
  RANDOM_BRANCH,
  WRITTEN_BRANCH,
  GIVEN_BRANCH,
  OVERWRITTEN_BRANCH,
  HANDING_BRANCH,
  ...OF_THE_CHILD,
  ...FURTHER,
]);

/** Reads the branches and their sources, by role. */
export function seeBranches(recorded: Recordings): Branches {
  const of = (role: string): RecordedRun | undefined => runOf(recorded, role);
  const source = of('source');
  const made = runsOf(recorded).filter(({ fork, role }) => fork !== null && !BESIDE.has(role));
  const branches = made.filter(({ problem }) => problem === null);
  const left = leftWithout([source ?? 'source', ...(made.length === 0 ? ['branch'] : made)]);
  const isSwept = source?.problem === null && branches.length > 0;
  return {
    swept: isSwept ? { source, branches } : (left ?? leftUndriven('branch')),
    left,
    random: { source: of(RANDOM_SOURCE), branch: of(RANDOM_BRANCH) },
    written: { source: of(WRITTEN_SOURCE), branch: of(WRITTEN_BRANCH) },
    given: { source: of(GIVEN_SOURCE), branch: of(GIVEN_BRANCH) },
    overwritten: { source: of(OVERWRITTEN_SOURCE), branch: of(OVERWRITTEN_BRANCH) },
    handing: { source: of(HANDING_SOURCE), branch: of(HANDING_BRANCH) },
    remembering: { source: of(REMEMBERING_SOURCE), branch: of(REMEMBERING_BRANCH) },
    replayed: { source: of(REPLAY), branch: of(REPLAY_BRANCH) },
    laden: { source: of(LADEN_SOURCE), branch: of(LADEN_BRANCH) },
    readTwice: [
      [of(FIRST_BRANCH), of(BRANCH_AGAIN)],
      [source, of(SOURCE_AGAIN)],
    ],
  };
}

/** Judges what was followed to its end: a failure there comes before what is left of branches that were not. */
export function judgeSwept({ swept, left }: Branches, judge: (swept: Swept) => Outcome): Outcome {
  if (isOutcome(swept)) return swept;
  const outcome = judge(swept);
  return left === undefined ? outcome : (openOf([outcome, left]) ?? outcome);
}

/** replay.md, Endpoint: events below fromSeq are fixed history. */
export function judgePrefixes(recorded: Branches, volatile: readonly string[]): Outcome {
  return judgeSwept(recorded, ({ source: swept, branches }) => {
    const pairs = branches.map((branch) => ({ source: swept, branch }));
    const { random, written, remembering, replayed, laden } = recorded;
    for (const { source: first, branch: second } of [random, written, remembering, replayed, laden]) {
      if (first?.problem === null && second?.problem === null) pairs.push({ source: first, branch: second });
    }
    let withHistory = 0;
    for (const { source, branch } of pairs) {
      const fromSeq = branch.fork?.fromSeq ?? 0;
      if (eventsOf(source).some(({ sequence }) => sequence < fromSeq)) withHistory += 1;
      const compared = comparePrefixes(source, branch, fromSeq, volatile);
      if (compared.kind === 'different' && source === swept && isRewritten(recorded.readTwice[0], swept, volatile)) {
        return fail({ ...compared.mismatch, restsOn: INDEPENDENT }, [branch, source]);
      }
      // What is lost by every fork of a replay is the business of the row about these, and by every fork that of the one about histories.
      const owned = ownedBy(source === replayed.source ? OF_A_REPLAY : FOUNDATIONS.histories, compared);
      if (owned.kind !== 'same') return outcomeOf(owned, [branch, source]);
    }
    const evidence = pairs.map(({ branch }) => branch);
    if (withHistory === 0)
      return undecidedUntil('seed conformance-multi-node', 'no branch has events below its fork point', evidence);
    return declaring(pass(evidence), volatile);
  });
}

/** The same of all branches that scenarios made for something else: of runs that failed or wait, from behind a tool, of branches. */
export function judgePrefixesEverywhere(own: Outcome, everything: Everything, volatile: readonly string[]): Outcome {
  if (failureOf([own]) !== undefined) return own;
  const all = wholeRunsIn(everything);
  // As it was read first: what its own forks do to it afterwards is for the rows about sources.
  const first = [...new Map(all.toReversed().map((run) => [run.runId, run])).values()];
  const made = first.filter(
    ({ fork, runId, problem }) => fork?.mode === 'branch' && runId !== null && problem === null,
  );
  const outcomes = made.flatMap((branch) => {
    const source = sourceAmong(branch, all);
    if (source?.problem !== null || source.runId === branch.runId) return [];
    const compared = comparePrefixes(source, branch, branch.fork?.fromSeq ?? 0, volatile);
    if (compared.kind !== 'different') return [];
    // A host whose replays have other histories, too, is named for these.
    const owner = endOf(eventsOf(source)) === 'failed' ? SAME_FAILURE : FOUNDATIONS.histories;
    return [outcomeOf(ownedBy(owner, compared), [branch])];
  });
  return failureOf(outcomes) ?? own;
}

/** The row about replays of runs that failed. */
const SAME_FAILURE = 'replay.same-failure';

/** Whether a branch had its source's history until others were made: these may have been changed before they were read. */
function isRewritten([before, after]: Twice, source: RecordedRun, volatile: readonly string[]): boolean {
  if (before?.problem !== null || after?.problem !== null) return false;
  const fromSeq = before.fork?.fromSeq ?? 0;
  const [was, is] = [before, after].map((each) => comparePrefixes(source, each, fromSeq, volatile).kind);
  return was === 'same' && is === 'different';
}

/** replay.md, Two modes: new runId, new event subcollection, a fully independent run. */
export function judgeIndependence(recorded: Branches): Outcome {
  return judgeSwept(recorded, ({ source, branches }) => {
    const own = branches.map((branch) => {
      const foreign = foreignEvent(branch);
      // A run that is no branch and names another one in its events is the business of the row about events.
      const restsOn = foreignEvent(source) === undefined ? undefined : EVENTS_NAMED;
      return foreign === undefined ? pass([branch]) : fail({ ...foreign, restsOn }, [branch]);
    });
    const evidence = [source, ...branches];
    const several =
      branches.length > 1
        ? pass(evidence)
        : undecidedUntil('seed conformance-multi-node', 'there is only one branch', evidence);
    const children = judgeChildren(recorded.handing);
    return openOf([...own, ...recorded.readTwice.map(judgeReadTwice), children ?? several, several]) ?? several;
  });
}

/**
 * A failure where a branch names a child of its source as one of its own, or its source as the parent: what it dispatches is another
 * run, and its own.
 */
function judgeChildren({ source, branch }: Pair): Outcome | undefined {
  if (source?.problem !== null || branch?.problem !== null) return undefined;
  const fromSeq = branch.fork?.fromSeq ?? 0;
  const orphaned = eventsOf(branch).find(
    ({ type, sequence, payload }) =>
      type === CHAIN_EVENT && sequence >= fromSeq && member(payload, 'parentRunId') === source.runId,
  );
  if (orphaned !== undefined) {
    const place = `sequence ${orphaned.sequence} (${orphaned.type}) in ${named(branch)}`;
    const expected = `${place} /payload/parentRunId: ${shown(branch.runId)}, its own`;
    return fail(
      {
        diagnosis: wrong('child-of-source'),
        expected,
        actual: `${shown(source.runId)}, the source's`,
        restsOn: 'handoff.payloads',
      },
      [branch],
    );
  }
  const known = new Set(childrenNamedIn(eventsOf(source)));
  const shared = childrenNamedIn(eventsOf(branch)).find((child) => known.has(child));
  if (shared === undefined) return undefined;
  const expected = `children of its own in ${named(branch)}, which begins where ${named(source)} does`;
  // An id that is no run's says nothing of the branch.
  const restsOn = 'handoff.child-is-a-run';
  return fail(
    { diagnosis: wrong('child-of-source'), expected, actual: `${shared}, which ${named(source)} dispatched`, restsOn },
    [branch, source],
  );
}

function judgeReadTwice([before, after]: Twice): Outcome {
  const left = leftWithout([before ?? 'first reading', after ?? 'second reading']);
  if (left !== undefined) return left;
  if (before === undefined || after === undefined) return leftUndriven('second reading');
  // What its snapshot showed otherwise before another branch was made is for the row about snapshots.
  const was = (before.snapshotAgain ?? null) === null ? before : { ...before, snapshot: before.snapshotAgain ?? null };
  const change =
    before.fork === null ? (logChange(before, after) ?? statusChange(before, after)) : changeOf(was, after);
  // A source that replays change, too, is the business of the row that says so.
  const restsOn = before.fork === null ? SOURCE_UNTOUCHED : undefined;
  return change === undefined ? pass([after, before]) : fail({ ...change, restsOn }, [after, before]);
}

/** An event that a run, or a branch, wrote itself belongs to it; what a host writes into copied history is left open. */
function foreignEvent(run: RunObservation): Difference | undefined {
  const fromSeq = run.fork?.fromSeq ?? 0;
  const event = eventsOf(run).find(
    ({ sequence, raw }) => sequence >= fromSeq && (member(raw, 'runId') ?? run.runId) !== run.runId,
  );
  if (event === undefined) return undefined;
  const place = `sequence ${event.sequence} (${event.type}) in ${named(run)}`;
  return {
    diagnosis: wrong('event-of-another-run'),
    expected: `${place} /runId: its own`,
    actual: `/runId: ${shown(member(event.raw, 'runId'))}`,
  };
}

/** The log says it first; the status is what else a caller relies on, once it has caught up with the log. */
function statusChange(before: RecordedRun, after: RunObservation): Difference | undefined {
  const [was, is] = [member(before.snapshot, 'status'), member(after.snapshot, 'status')];
  if (was === is || unread(before) !== undefined || after.snapshot === null) return undefined;
  return {
    diagnosis: sharedCause('source-changed'),
    expected: `status ${shown(was)} as in ${named(before)}`,
    actual: `${shown(is)} in ${named(after)}`,
  };
}
