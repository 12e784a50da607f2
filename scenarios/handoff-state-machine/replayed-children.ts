import { member } from '../../src/contract/discovery.ts';
import { listed } from '../../src/contract/listed.ts';
import { fail, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { isUnknown } from '../shared/first-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { type Forked, leftWithout, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import { childNamedBy, childrenNamedIn } from '../shared/read-event.ts';
import { readChildPastEnd, readChildrenAgain } from '../shared/past-the-end.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { isObserved, offersMode, type RunObservation, startFork } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { sweptBesideRows } from '../shared/swept-runs.ts';
import { readChain } from './chain.ts';
import { readChild, driveHandoff, withHiddenEvents, COMMON } from './suite.ts';
import { wrong } from './diagnoses.ts';
import { GIVEN, HANDOFF } from './fixtures.ts';
import { type AllRecorded, recordedAs, valueIn } from './handoff-run.ts';
import type { ChildObservation } from './observation.ts';
import { OWNERS } from './owners.ts';
import { readTransition } from './transition.ts';

/** Children of one replay that are read, at most. */
const CHILDREN = 3;

/** Each workflow whose child is given something; where the host has none of them, the public one that gives nothing. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const driven = await Promise.all(GIVEN.map(({ workflowId }) => driveReplays(probe, workflowId)));
  const known = driven.filter(([source]) => source !== undefined && !isUnknown(source as RunObservation));
  return known.length === 0 ? driveReplays(probe, HANDOFF) : known.flat();
}

/** A handoff, a replay of all of it and one of that, one from within it, when its child was made, and one from where it is history. */
async function driveReplays(probe: Probe, workflowId: string): Promise<readonly Observation[]> {
  const [run, ...children] = await driveHandoff(probe, workflowId, sourceRole(workflowId));
  if (run?.type !== 'run' || run.problem !== null) return run === undefined ? [] : [run];
  const source = run;
  const own = new Set(readChain(source).children);
  const points = [withinHandoff(source), behindHandoff(source)].filter((fromSeq) => fromSeq !== undefined);
  const read = async (of: RunObservation, fromSeq: number | undefined, role: string): Promise<Replays> => {
    const replay = await withHiddenEvents(probe, await replayOf(probe, of, fromSeq, { role }));
    const ids = readChain(replay).children.filter((id) => !own.has(id));
    const made = await Promise.all(ids.slice(0, CHILDREN).map((id) => readChild(probe, id, replay)));
    const ended = made.find(({ problem }) => problem === null);
    return [replay, ...made, ...(ended === undefined ? [] : await readChildPastEnd(probe, ended.runId))];
  };
  const readAgain = async (): Promise<readonly Observation[]> => {
    const role = replayRole(workflowId, undefined);
    const whole = await read(source, undefined, role);
    const [first] = whole;
    return isObserved(first) ? [...whole, ...(await read(first, undefined, `replay of the ${role}`))] : whole;
  };
  const later = points.map((fromSeq) => read(source, fromSeq, replayRole(workflowId, fromSeq)));
  const branched = workflowId === HANDOFF || workflowId === FIRST ? [driveBranch(probe, source)] : [];
  const forks = (await Promise.all([readAgain(), ...later, ...branched])).flat();
  return [source, ...children, ...forks, ...(await readChildrenAgain(probe, children))];
}

const FIRST = GIVEN[0].workflowId;

/** A branch that hands off anew, and its child past its end: the logs of all runs are judged. None where no branches are offered. */
async function driveBranch(probe: Probe, source: RunObservation): Promise<readonly Observation[]> {
  const [, second] = eventsOf(source);
  if (second === undefined || !offersMode(probe.discovery, 'branch')) return [];
  const body = { mode: 'branch', fromSeq: second.sequence } as const;
  const branch = await startFork(probe, source, body, { role: `branch of ${source.role}` });
  if (!isObserved(branch)) return [branch];
  const own = new Set(readChain(source).children);
  const id = readChain(branch).children.find((each) => !own.has(each) && each !== branch.runId);
  if (id === undefined) return [branch];
  const child = await readChild(probe, id, branch);
  return [branch, child, ...(child.problem === null ? await readChildPastEnd(probe, id) : [])];
}

/** A replay, the children that only it names, and one of their logs past its end. */
type Replays = readonly [RunObservation, ...(ChildObservation | ReadingObservation)[]];

/** The number of the first transition behind one that names a child; undefined where the log shows none. */
function withinHandoff(source: RunObservation): number | undefined {
  const { transitions } = readChain(source);
  const first = transitions.findIndex(({ event }) => childNamedBy(event) !== undefined);
  return first === -1 ? undefined : transitions[first + 1]?.event.sequence;
}

/** The number of the event behind the node that handed over; undefined where the log does not show that it ended. */
function behindHandoff(source: RunObservation): number | undefined {
  const events = eventsOf(source).toSorted((a, b) => a.sequence - b.sequence);
  const last = events.findLastIndex((event) => readTransition(event) !== undefined);
  const end = events.findIndex(({ type }, index) => index > last && type === 'node.completed');
  return last === -1 || end === -1 ? undefined : events[end + 1]?.sequence;
}

/** A replay of a run that hands over: what it dispatches, and what it gives. */
export const replayedChildren = defineScenario({
  ...COMMON,
  id: 'replay.no-second-child',
  title: 'A handoff is replayed with the children and the inputs of its source',
  needs: [replays],
  foundation: true,
  drive,
  checks: [
    {
      id: 'replay.no-second-child',
      title: 'A replay dispatches no more children than its source, and gives each what it was given there',
      judge: (recorded, { everything }) => judgeReplayedChildren(recorded, sweptBesideRows(everything)),
    },
  ],
});

/** The role of the run of a workflow. */
export function sourceRole(workflowId: string): string {
  return `source of ${workflowId}`;
}

/** The role of a replay of it. */
export function replayRole(workflowId: string, fromSeq: number | undefined): string {
  return `replay of ${workflowId} from ${fromSeq ?? 'the start'}`;
}

/** replay.md, Determinism; rfc-0037 §B: judges the replays of each workflow that was driven, and of whatever else was swept. */
function judgeReplayedChildren(recorded: AllRecorded, swept: readonly Forked[]): Outcome {
  const driven = [...GIVEN, { workflowId: HANDOFF, variable: undefined }].flatMap(({ workflowId, variable }) => {
    const source = runOf(recorded, sourceRole(workflowId));
    return source === undefined ? [] : [judgeSource(recorded, source, variable)];
  });
  const all = [...driven, ...swept.flatMap((log) => judgeSwept(recorded, log))];
  return all.length === 0 ? undecided('no handoff was driven', []) : settle(all);
}

/** What the replays of a workflow of somebody else show: those that have a dispatch whole in their history, or before them. */
function judgeSwept(recorded: AllRecorded, { source, replays: forks }: Forked): readonly Outcome[] {
  const { events, children } = readChain(source);
  if (children.length === 0) return [];
  const isWhole = ({ fork }: RecordedRun): boolean => {
    const fromSeq = fork?.fromSeq ?? 0;
    const later = new Set(childrenNamedIn(events.filter(({ sequence }) => sequence >= fromSeq)));
    return !childrenNamedIn(events.filter(({ sequence }) => sequence < fromSeq)).some((id) => later.has(id));
  };
  return forks
    .filter(isWhole)
    .map((replay) => judgeReplay(recorded, { source, replay, children, variable: undefined }));
}

function judgeSource(recorded: AllRecorded, source: RecordedRun, variable: string | undefined): Outcome {
  const left = leftWithout([source]);
  if (left !== undefined) return left;
  const children = readChain(source).children;
  if (children.length === 0) return undecided(`no event of ${named(source)} names a childRunId`, [source]);
  const runs = runsOf(recorded);
  const forksOf = ({ runId }: RecordedRun): readonly RecordedRun[] =>
    runs.filter(({ fork }) => fork !== null && runId !== null && fork.sourceRunId === runId);
  const forks = forksOf(source).flatMap((fork) => [fork, ...forksOf(fork)]);
  if (forks.length === 0) return undecided(`no replay of ${named(source)} was driven`, [source]);
  return settle(forks.map((replay) => judgeReplay(recorded, { source, replay, children, variable })));
}

function workflowOf({ snapshot }: ChildObservation): unknown {
  return member(snapshot, 'workflowId');
}

interface Replayed {
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
  /** The children that the source names. */
  readonly children: readonly string[];
  /** The variable in which they show what they were given; undefined where they were given nothing. */
  readonly variable: string | undefined;
}

function judgeReplay(recorded: AllRecorded, { source, replay, variable, ...of }: Replayed): Outcome {
  const left = leftWithout([replay]);
  if (left !== undefined) return left;
  // A run that names itself names no child, and neither does its replay then: the row about children says so.
  const isItself = of.children.some((id) => id === source.runId);
  const selves = isItself ? [source.runId, replay.runId] : [];
  const [children = [], dispatched = []] = [of.children, readChain(replay).children].map((ids) =>
    ids.filter((id) => !selves.includes(id)),
  );
  if (dispatched.length > children.length) {
    const expected = `${children.length} child runs in the log of ${named(replay)}, as in its source's`;
    const actual = `${dispatched.length}: ${listed(dispatched, 4)}`;
    const diagnosis = wrong('second-child');
    return fail({ expected, actual, diagnosis, restsOn: 'handoff.replays' }, [replay, source]);
  }
  if (dispatched.length === 0) {
    const none = undecided(`no event of ${named(replay)} names a childRunId of another run`, [replay]);
    return isItself ? rests(OWNERS.child, none) : none;
  }
  const evidence = [replay, source];
  const recordedBefore = new Set(children);
  const others = dispatched.filter((id) => !recordedBefore.has(id));
  if (others.length === 0 || variable === undefined) return pass(evidence);
  const all = recordedAs(recorded, 'child');
  const given = all
    .filter(({ runId }) => recordedBefore.has(runId))
    .map((child) => ({ workflowId: workflowOf(child), value: valueIn(child, variable) }));
  if (given.every(({ value }) => value === undefined)) {
    return undecided(`nothing shows what the children of ${named(source)} were given as ${variable}`, evidence);
  }
  for (const child of all.filter(({ runId }) => others.includes(runId))) {
    if (child.problem !== null) return undecided(`the child ${child.runId} was not seen: ${child.problem}`, [child]);
    const value = valueIn(child, variable);
    // Several workers may be given something else each; one of them is told by its workflow.
    const its = given.length > 1 ? given.filter(({ workflowId }) => workflowId === workflowOf(child)) : given;
    const values = new Set(its.map((each) => shown(each.value)));
    const [expected] = its;
    if (expected?.value === undefined || values.size !== 1) {
      return undecided(`nothing shows what the child ${child.runId} was given as ${variable} in the source`, evidence);
    }
    if (shown(value) === shown(expected.value)) continue;
    if (value === undefined && member(child.snapshot, 'variables') === undefined) {
      return undecided(`neither log nor snapshot of the child ${child.runId} shows its variables`, [child]);
    }
    const place = `variable ${variable} of the child ${child.runId} of ${named(replay)}`;
    // Inputs may stand in snapshots alone: where these are not to be believed, another row says so.
    const restsOn = isAgainstItsLog({ ...child, role: 'child' }) ? FOUNDATIONS.snapshots : undefined;
    return fail(
      {
        expected: `${place}: ${shown(expected.value)}`,
        actual: shown(value),
        diagnosis: wrong('child-given-otherwise'),
        restsOn,
      },
      [child, ...evidence],
    );
  }
  return pass([...evidence, ...all.filter(({ runId }) => others.includes(runId))]);
}
