import { fail, isOutcome, type Outcome, pass } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore } from '../../src/host/semaphore.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { bounds, comparePrefixes, eventsOf, isAboutReplay, named, prefixesOf, rawOf } from '../shared/compare-runs.ts';
import { outcomeOf } from '../shared/compared.ts';
import { wholeRunsIn } from '../shared/every-run.ts';
import { fixtureOf, startSources } from '../shared/fixture-sources.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { startPublic } from '../shared/first-run.ts';
import { FOUNDATIONS, OF_A_REPLAY, PROJECTED_STATE, REPLAYED_OVERLAY } from '../shared/foundations.ts';
import { compareHappened } from '../shared/happened.ts';
import { leftWithout, need, type RecordedRun, runOf, runsOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKS_AGAIN, hasEnded, replayAnswered } from '../shared/past-question.ts';
import { branches, replays } from '../shared/replays.ts';
import { requestFork } from '../shared/requested-fork.ts';
import { isObserved, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { evidenceOf, failureOf, settle } from '../shared/settle.ts';
import { ROW_OF, SWEPT } from '../shared/swept-fixtures.ts';
import { declaring } from '../shared/volatile.ts';
import { driveApproval } from './branch-asks.ts';
import { type ForkOf, forksAmong, judgeElsewhere, judgeHistories } from './forks-everywhere.ts';
import { branchAtEnd } from './further-branches.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeForkUntouched } from './judge-untouched.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** The role of the replay of a replay. */
export const OF_A_FORK = 'replay of the replay';

/** Replays a fork from the middle of its log, and from its last event: the answers must name that fork and that start, not those of the fork's own. */
export async function forkAgain(
  probe: Probe,
  fork: RunObservation,
  role: string = OF_A_FORK,
): Promise<readonly Observation[]> {
  if (!isObserved(fork)) return [];
  const events = eventsOf(fork).filter((event) => !isAboutReplay(event));
  const replay = async (name: string, event: RunEvent | undefined): Promise<readonly Observation[]> =>
    event === undefined
      ? []
      : Object.values(await requestFork(probe, fork, { mode: 'replay', fromSeq: event.sequence }, name));
  const middle = await replay(role, events[Math.floor(events.length / 2)]);
  const end = await replay(fromItsEnd(role), events.find(endsRun));
  return [...middle, ...end, await readAgain(probe, fork, { role: again(fork.role) })];
}

/** The role of the replay of a fork from its last event. */
function fromItsEnd(role: string): string {
  return `${role} from its end`;
}

/** The role of a fork that is read once more, after its own fork. */
function again(role: string): string {
  return `${role} again`;
}

/** replay.md, Two modes: the original run is unmodified, whether it is a fork itself or not. */
export function judgeForkAgain(recorded: Recordings, parent: string, role: string = OF_A_FORK): Outcome {
  return judgeForkUntouched(recorded, parent, again(parent), role);
}

/** replay.md, Response: a fork is a run like any other, and its forks are answered as those of other runs. */
export function judgeOfAFork(recorded: Recordings, parent: string, role: string = OF_A_FORK): Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const end = fromItsEnd(role);
  const roles = runOf(recorded, end) === undefined ? [role] : [role, end];
  return settle(roles.map((each) => judgeAnswer(recorded, each, parent)));
}

/** The same, then the replays of forks of this mode that other scenarios requested: rows that can do without them say no more of them. */
function judgeOfForks(own: Outcome, parents: 'replay' | 'branch', everything: Everything): Outcome {
  return failureOf([own]) ?? judgeElsewhere(replaysOf(parents, everything)) ?? own;
}

/** The replays of forks of a mode, wherever they were requested. */
function replaysOf(parents: 'replay' | 'branch', everything: Everything): readonly ForkOf[] {
  return forksAmong(wholeRunsIn(everything), 'replay').filter(({ kind }) => kind === parents);
}

/** The same of replays of replays, each with the history of the replay that it names as its source. */
export function judgeOfReplays(own: Outcome, { everything, options }: Judging): Outcome {
  const outcome = judgeOfForks(own, 'replay', everything);
  if (failureOf([outcome]) !== undefined) return outcome;
  // Where forks of other runs have another history, too, it is no matter of replays of replays.
  const all = wholeRunsIn(everything);
  const others = [...forksAmong(all, 'replay'), ...forksAmong(all, 'branch')].filter(({ kind }) => kind === 'run');
  const judge = (owner: string): Outcome | undefined =>
    judgeHistories(replaysOf('replay', everything), owner, options.volatile);
  const isEverywhere = (): boolean => judgeHistories(others, FOUNDATIONS.histories, options.volatile) !== undefined;
  const ofReplays = judge(OF_A_REPLAY);
  return (ofReplays && isEverywhere() ? judge(FOUNDATIONS.histories) : ofReplays) ?? outcome;
}

const [BRANCH, REPLAY] = ['branch', 'replay of the branch'] as const;

/** What is recorded in runs of these and made anew in branches of them: clocks, random numbers, ids of memories; and what they are given. */
export const RECORDING = ['clock', 'random', 'memory-write', 'identity'].map(
  (name) => `conformance-determinism-${name}`,
);

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const driven = await Promise.all([drivePlain(probe), driveRecording(probe), driveAnswered(probe)]);
  return driven.flat();
}

const ASKING_SOURCE = 'source of approval';
const [ASKED, ASKED_AGAIN] = [`${BRANCH} of approval`, `${REPLAY} of approval`] as const;
/** A branch whose history holds the question and its answer, and the replay of all of it. */
const [PAST, PAST_AGAIN] = [`${BRANCH} of answered approval`, `${REPLAY} of answered approval`] as const;

/** A branch of a run that asked, which asked for itself and was answered otherwise, one from its end, and a replay of each. */
async function driveAnswered(probe: Probe): Promise<readonly Observation[]> {
  const driven = await driveApproval(probe, { source: ASKING_SOURCE, branch: ASKED });
  const branch = endedRun(driven, ASKED);
  if (branch === undefined) return driven;
  const replayed = await replayAnswered(probe, branch, ASKED_AGAIN);
  return [...driven, replayed, ...(await drivePast(probe, endedRun(driven, ASKING_SOURCE)))];
}

async function drivePast(probe: Probe, source: RunObservation | undefined): Promise<readonly Observation[]> {
  if (source === undefined) return [];
  const past = await branchAtEnd(probe, source, PAST);
  return isObserved(past) && hasEnded(past) ? [past, await replayAnswered(probe, past, PAST_AGAIN)] : [past];
}

/** The run of a role, where it was seen to its end. */
function endedRun(driven: Awaited<ReturnType<typeof driveApproval>>, role: string): RunObservation | undefined {
  const run = driven.find((each) => each.type === 'run' && each.role === role);
  return run?.type === 'run' && isObserved(run) && hasEnded(run) ? run : undefined;
}

async function drivePlain(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const branch = await startFork(probe, source, { mode: 'branch', fromSeq: bounds(source).middle }, { role: BRANCH });
  return [source, branch, ...(await forkAgain(probe, branch, REPLAY))];
}

/**
 * A branch of each of these, and a replay of all of it: from behind the first thing that is recorded, so that one is history of the branch
 * and another one its own; of what a run is given, from the beginning.
 */
async function driveRecording(probe: Probe): Promise<readonly RunObservation[]> {
  const line = createSemaphore(probe.concurrency);
  const table = SWEPT.filter(({ workflowId }) => RECORDING.includes(workflowId));
  const sources = await startSources({ probe, line, short: false }, table);
  const forked = sources.filter(isObserved).map((source) =>
    line(async () => {
      const fixture = fixtureOf(source);
      const fromSeq = fixture === GIVEN ? bounds(source).first : behindFirst(source);
      const body = { mode: 'branch', fromSeq } as const;
      const branch = await startFork(probe, source, body, { role: `${BRANCH} of ${fixture}` });
      if (!isObserved(branch)) return [branch];
      return [branch, await startFork(probe, branch, { mode: 'replay' }, { role: `${REPLAY} of ${fixture}` })];
    }),
  );
  return [...sources, ...(await Promise.all(forked)).flat()];
}

const GIVEN = 'determinism-identity';

/** The place behind the first node of a run that completed; its beginning where the log shows none. */
export function behindFirst(run: RunObservation): number {
  const events = eventsOf(run);
  const end = events.findIndex(({ type }) => type === 'node.completed');
  return (end === -1 ? undefined : events[end + 1]?.sequence) ?? bounds(run).first;
}

/** replay.md, Two modes: the history of a branch's replay is the branch's, and what it executes is what the branch did. */
export function judgeReplayed(recorded: Recordings, volatile: readonly string[], everything: Everything = []): Outcome {
  const runs = need(recorded, BRANCH, REPLAY);
  if (isOutcome(runs)) return runs;
  const { [BRANCH]: branch, [REPLAY]: replay } = runs;
  const plain = judgePair({ branch, replay }, volatile);
  if (plain.kind !== 'pass') return plain;
  // Absent in old evidence.
  const end = runOf(recorded, fromItsEnd(REPLAY));
  const fromEnd = end?.problem === null ? failureOf([judgePair({ branch, replay: end }, volatile)]) : undefined;
  if (fromEnd !== undefined) return fromEnd;
  const asks = runsOf(recorded).find(({ problem }) => problem === ASKS_AGAIN);
  if (asks !== undefined) {
    const expected = `${named(asks)} goes on with the answer that its source, a branch, was given`;
    return fail(
      {
        diagnosis: sharedCause('asked-again'),
        expected,
        actual: ASKS_AGAIN,
        restsOn: 'replay.interrupt-short-circuits',
      },
      [asks],
    );
  }
  const others = recordingIn(recorded);
  const outcomes = others.map((pair) => judgePair(pair, volatile));
  return (
    failureOf(outcomes) ??
    judgeHistories(replaysOf('branch', everything), FOUNDATIONS.histories, volatile) ??
    declaring(pass([...plain.evidence, ...outcomes.flatMap(evidenceOf)], plain.reason), volatile)
  );
}

interface Replayed {
  /** What the branch was made of, where that was recorded. */
  readonly source?: RecordedRun | undefined;
  readonly branch: RecordedRun;
  readonly replay: RecordedRun;
}

/** The branches of what is recorded, each with its replay, where both were seen. */
function recordingIn(recorded: Recordings): readonly Replayed[] {
  const runs = runsOf(recorded);
  return runs.flatMap((replay) => {
    const branch = runs.find(
      ({ role, runId }) => role.startsWith(`${BRANCH} of `) && runId === replay.fork?.sourceRunId,
    );
    return replay.fork?.mode !== 'replay' || branch === undefined || leftWithout([branch, replay]) !== undefined
      ? []
      : [{ source: runs.find(({ runId }) => runId === branch.fork?.sourceRunId), branch, replay }];
  });
}

function judgePair({ source, branch, replay }: Replayed, volatile: readonly string[]): Outcome {
  const evidence = [replay, branch];
  const fromSeq = replay.fork?.fromSeq ?? 0;
  const history = comparePrefixes(branch, replay, fromSeq, volatile);
  if (history.kind === 'different') return fail({ restsOn: FOUNDATIONS.histories, ...history.mismatch }, evidence);
  if (history.kind !== 'same') return outcomeOf(history, evidence);
  const [ours, theirs] = [withoutWaiting(branch), withoutWaiting(replay)];
  const whole = compareHappened(ours, theirs, volatile);
  if (whole.kind === 'different') {
    const isBeside = (isLeft: (event: RunEvent) => boolean): boolean =>
      compareHappened(without(ours, isLeft), without(theirs, isLeft), volatile).kind === 'same';
    const endsTwice = [ours, theirs].some((run) => eventsOf(run).filter(endsRun).length > 1);
    const areSameToTheEnd = compareHappened(toItsEnd(ours), toItsEnd(theirs), volatile).kind === 'same';
    if (areSameToTheEnd || (endsTwice && isBeside(endsRun)))
      return fail({ ...whole.mismatch, restsOn: FOUNDATIONS.ends }, evidence);
    // What replays of a fixture show is its row's, and how they fail again that of replays of failing runs.
    const isOfSource =
      source?.problem === null && compareHappened(withoutWaiting(source), theirs, volatile).kind === 'same';
    const row = ROW_OF.get(branch.role.replace(`${BRANCH} of `, '')) ?? FOUNDATIONS.silence;
    const restsOn = isBeside(isFailure) ? SAME_FAILURE : row;
    // A branch that was given nothing else than its source did otherwise itself.
    const ofSource = branch.role.endsWith(` of ${GIVEN}`) ? PROJECTED_STATE : REPLAYED_OVERLAY;
    return fail({ restsOn, ...whole.mismatch, ...(isOfSource && { restsOn: ofSource }) }, evidence);
  }
  const { below } = prefixesOf(branch, replay, fromSeq);
  return whole.kind === 'same' ? pass(evidence, `${below.length} events are history`) : outcomeOf(whole, evidence);
}

const SAME_FAILURE = 'replay.same-failure';

function isFailure({ type }: RunEvent): boolean {
  return type === 'node.failed' || type === 'run.failed';
}

/** A run that takes a recorded answer need not show that it asks and waits, nor that it goes on (replay.md, Determinism 2). */
function withoutWaiting(run: RecordedRun): RecordedRun {
  return without(run, (event) => isAsking(event) || event.type === 'node.resumed');
}

/** What a run shows up to its end: all of it where nothing stands behind that. */
function toItsEnd(run: RecordedRun): RecordedRun {
  const events = eventsOf(run);
  const end = events.findIndex(endsRun);
  return end === -1 ? run : { ...run, events: rawOf(events.slice(0, end + 1)) };
}

/** What a run shows beside such events. */
function without(run: RecordedRun, isLeft: (event: RunEvent) => boolean): RecordedRun {
  return { ...run, events: rawOf(eventsOf(run).filter((event) => !isLeft(event))) };
}

/** replay.md, Two modes: a branch is a fully independent run, and is replayed like any other. */
export const ofABranch = defineScenario({
  id: 'fork.of-a-branch',
  suite: 'fork-contract',
  title: 'A branch is replayed as any other run is',
  foundation: true,
  needs: [branches, replays],
  drive,
  see: (recorded) => leftWithoutControl(recorded, BRANCH) ?? recorded,
  checks: [
    {
      id: 'fork.created.of-a-fork.branch',
      title: 'A replay of a branch is answered as any other is, and names that branch as its source',
      judge: (recorded, { everything }) => judgeOfForks(judgeOfAFork(recorded, BRANCH, REPLAY), 'branch', everything),
    },
    {
      id: 'fork.source-untouched.of-a-fork.branch',
      title: 'A replay of a branch leaves the log and the snapshot of the branch as they were',
      judge: (recorded) => judgeForkAgain(recorded, BRANCH, REPLAY),
    },
    {
      id: 'fork.branch-is-independent.replayed',
      title: 'A replay of a branch has the history of the branch, and does what the branch did',
      judge: (recorded, { options, everything }) => judgeReplayed(recorded, options.volatile, everything),
    },
  ],
});
