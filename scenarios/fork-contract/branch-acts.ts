import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { bounds, comparePrefixes, eventsOf, isCompleted, named } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { need, type RecordedRun, runOf } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { Recordings } from '../shared/of-type.ts';
import { hasEnded } from '../shared/past-question.ts';
import { branches, replayOf, replays } from '../shared/replays.ts';
import { isObserved, offersMode, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { callsAfter, callsOf, COUNTED, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';

export const ROW = 'fork.branch-acts';
const TOOLS = 'conformance-determinism-side-effects';
const TOOL = 'call-tool';
const [MODEL, MODEL_NODE] = ['conformance-determinism-llm-provider', 'provider-call'] as const;
export const [SOURCE, BRANCH] = ['source', 'branch'] as const;
const [FRESH, REPLAY] = ['fresh run', 'replay of the branch'] as const;
const BEHIND = 'branch from behind the tool';
/** One more branch, which is made at the same time as the first. */
const [BESIDE, OF_BESIDE] = ['branch at the same time', 'replay of the branch at the same time'] as const;

/** A full replay of that branch, whose history holds the call. */
const OF_BEHIND = 'replay of the branch from behind the tool';

/** A full replay of the source, and a branch of that. */
export const [REPLAYED, OF_REPLAY] = ['replay', 'branch of the replay'] as const;

/**
 * A place of a run before which a node has not begun: its start, or where the host writes none the event before the first one
 * that names it.
 */
export function startOf(run: RunObservation, nodeId: string): number | undefined {
  const events = eventsOf(run);
  const started = events.find((event) => event.type === 'node.started' && nodeOf(event) === nodeId);
  const first = events.findIndex((event) => nodeOf(event) === nodeId);
  return (started ?? events[first - 1])?.sequence;
}

/** The event behind the end of a node; undefined where its log shows none. */
function behind(run: RunObservation, nodeId: string): number | undefined {
  const events = eventsOf(run);
  const end = events.findLastIndex((event) => event.type === 'node.completed' && nodeOf(event) === nodeId);
  return end === -1 ? undefined : events[end + 1]?.sequence;
}

/** What was done with the witness, and what was made there. */
interface Driven {
  readonly source: RunObservation;
  readonly branch: RunObservation;
  readonly beside: RunObservation | undefined;
  readonly visit: WitnessVisit;
}

/** A run that calls a tool, another one, and branches of the first from where the tool's node starts; `further` is done with that. */
async function driveTool(
  probe: Probe,
  further: (driven: Driven) => Promise<readonly Observation[]>,
  isBeside = false,
): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const request = { workflowId: TOOLS, inputs: { witnessUrl: visit.url } };
  const source = await startRun(probe, request, { role: SOURCE });
  const recorded: Observation[] = [source, callsAfter(SOURCE, visit)];
  const fromSeq = startOf(source, TOOL);
  if (!isObserved(source) || visit.calls().length === 0 || fromSeq === undefined) return recorded;
  // Shows that another run calls: a host may keep the answers of tools that it knows to be pure.
  recorded.push(await startRun(probe, request, { role: FRESH }), callsAfter(FRESH, visit));
  const make = (role: string) => startFork(probe, source, { mode: 'branch', fromSeq }, { role });
  const [branch, beside] = await Promise.all([make(BRANCH), ...(isBeside ? [make(BESIDE)] : [])]);
  recorded.push(branch, ...(beside === undefined ? [] : [beside]), callsAfter(BRANCH, visit));
  return [...recorded, ...(await further({ source, branch, beside, visit }))];
}

/** The same, a branch from behind the tool, and one of a replay from where the tool's node starts. */
async function driveBehind(probe: Probe): Promise<readonly Observation[]> {
  const tool = driveTool(probe, async ({ source, visit }) => {
    const fromSeq = behind(source, TOOL);
    if (fromSeq === undefined) return [];
    const later = await startFork(probe, source, { mode: 'branch', fromSeq }, { role: BEHIND });
    const counted = callsAfter(BEHIND, visit);
    return [later, counted, ...(await branchOfReplay(probe, source, visit))];
  });
  return (await Promise.all([tool, driveModel(probe)])).flat();
}

/** A run that asks a model, its branch from the start, which is answered otherwise, and a replay of the run after that. */
const [ASKING, ASKED_ANEW, ASKING_REPLAY] = ['asking source', 'branch that asks', 'replay after the branch'] as const;

async function driveModel(probe: Probe): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined || !offersMode(probe.discovery, 'replay')) return [];
  visit.stageChat([true, false].map((valid) => ({ kind: 'valid', content: JSON.stringify({ valid }) })));
  const request = { workflowId: MODEL, inputs: { witnessUrl: visit.url } };
  const source = await startRun(probe, request, { role: ASKING });
  if (!isCompleted(source) || visit.calls().length === 0) return [];
  const fork = { mode: 'branch', fromSeq: bounds(source).first } as const;
  const branch = await startFork(probe, source, fork, { role: ASKED_ANEW });
  const recorded = [source, branch, callsAfter(ASKED_ANEW, visit)];
  return [
    ...recorded,
    await replayOf(probe, source, undefined, { role: ASKING_REPLAY }),
    callsAfter(ASKING_REPLAY, visit),
  ];
}

/** A full replay of a run, and a branch of that from where the tool's node starts; the first alone where it shows no such place. */
async function branchOfReplay(
  probe: Probe,
  source: RunObservation,
  visit: WitnessVisit,
): Promise<readonly Observation[]> {
  if (!offersMode(probe.discovery, 'replay')) return [];
  const replay = await replayOf(probe, source, undefined, { role: REPLAYED });
  const recorded = [replay, callsAfter(REPLAYED, visit)];
  const fromSeq = startOf(replay, TOOL);
  if (!isObserved(replay) || fromSeq === undefined) return recorded;
  const branch = await startFork(probe, replay, { mode: 'branch', fromSeq }, { role: OF_REPLAY });
  return [...recorded, branch, callsAfter(OF_REPLAY, visit)];
}

/** The same with one more branch, a replay of each, and one of another branch, from behind the tool. */
async function driveReplayedTool(probe: Probe): Promise<readonly Observation[]> {
  const further = async ({ source, branch, beside, visit }: Driven): Promise<readonly Observation[]> => {
    const replayed = (run: RunObservation, role: string) => replayOf(probe, run, undefined, { role });
    const both = [replayed(branch, REPLAY), ...(beside === undefined ? [] : [replayed(beside, OF_BESIDE)])];
    const first = [...(await Promise.all(both)), callsAfter(REPLAY, visit)];
    const fromSeq = behind(source, TOOL);
    if (fromSeq === undefined) return first;
    const later = await startFork(probe, source, { mode: 'branch', fromSeq }, { role: BEHIND });
    const counted = callsAfter(BEHIND, visit);
    return [...first, later, counted, await replayed(later, OF_BEHIND), callsAfter(OF_BEHIND, visit)];
  };
  return driveTool(probe, further, true);
}

/** Whether a log says of its own run that it is through with the tool. */
function comesToTool(run: RunObservation): boolean {
  return eventsOf(run).some(
    (event) => event.type === 'node.completed' && nodeOf(event) === TOOL && member(event.raw, 'runId') === run.runId,
  );
}

/** What is left where the source called nobody, or shows no place to branch from; undefined otherwise. */
function leftOfCalls(recorded: Recordings): Outcome | undefined {
  const begun = need(recorded, SOURCE);
  if (isOutcome(begun)) return begun;
  const { source } = begun;
  const first = callsOf(recorded, SOURCE);
  if (first?.calls.length === 0) return undecided(notCalled(first, source), [source]);
  if (first === undefined || callsOf(recorded, FRESH) !== undefined) return undefined;
  const why = `${named(source)} does not show where ${TOOL} starts`;
  return undecidedUntil('write its events with its nodeId', why, [source]);
}

/** replay.md, Two modes, internals 5: what a branch executes behind its fork point is its own. */
export function judgeTool(recorded: Recordings): Outcome {
  const left = leftOfCalls(recorded);
  if (left !== undefined) return left;
  const runs = need(recorded, SOURCE, FRESH, BRANCH);
  if (isOutcome(runs)) return runs;
  const [first, again, last] = [SOURCE, FRESH, BRANCH].map((role) => callsOf(recorded, role));
  if (first === undefined || again === undefined || last === undefined) {
    return undecidedUntil('let the host call the witness', 'no call was counted', [runs.source]);
  }
  const evidence = [runs[BRANCH], last, runs.source, first];
  if (again.calls.length === first.calls.length) {
    const why = 'another run of the same workflow does not call the tool either';
    return undecidedUntil('call the tool anew in every run', why, [again, ...evidence]);
  }
  if (last.calls.length > again.calls.length) return calledByOfReplay(recorded) ?? pass(evidence);
  return comesToTool(runs[BRANCH]) ? inert(runs[BRANCH], evidence) : notSeenAtTool(runs[BRANCH], evidence);
}

function notSeenAtTool(branch: RecordedRun, evidence: readonly Recorded<Observation>[]): Outcome {
  const why = `${named(branch)} called nobody, and its log does not show that it came to ${TOOL}`;
  return undecidedUntil('write node.completed with its nodeId, and the id of its run', why, evidence);
}

function inert(branch: RecordedRun, evidence: readonly Recorded<Observation>[]): Outcome {
  return fail(
    {
      expected: `a call of the tool by ${named(branch)}, which begins at the start of ${TOOL}`,
      actual: 'no call at the witness: it went on with what the source was answered',
      diagnosis: wrong('branch-inert'),
    },
    evidence,
  );
}

/** The failure of a branch of a replay that calls nobody; undefined where there is none, or it is not known to have come to the tool. */
function calledByOfReplay(recorded: Recordings): Outcome | undefined {
  const [replay, branch] = [runOf(recorded, REPLAYED), runOf(recorded, OF_REPLAY)];
  const [before, after] = [callsOf(recorded, REPLAYED), callsOf(recorded, OF_REPLAY)];
  if (replay?.problem !== null || branch?.problem !== null || before === undefined || after === undefined)
    return undefined;
  const isCalled = after.calls.length > before.calls.length;
  return isCalled || !comesToTool(branch) ? undefined : inert(branch, [branch, after, replay, before]);
}

/** replay.md, Determinism 1: what a branch called itself is recorded of the branch, and its replay calls nobody. */
export function judgeReplayedTool(recorded: Recordings): Outcome {
  const left = leftOfCalls(recorded);
  if (left !== undefined) return left;
  const runs = need(recorded, SOURCE, BRANCH, REPLAY);
  if (isOutcome(runs)) return runs;
  const [fresh, branch, replay] = [FRESH, BRANCH, REPLAY].map((role) => callsOf(recorded, role));
  const evidence = [runs[REPLAY], runs[BRANCH]];
  if (fresh === undefined || branch === undefined || replay === undefined) {
    return undecided('no call was counted', evidence);
  }
  if (branch.calls.length === fresh.calls.length) {
    return rests(`${ROW}.tool`, undecided(`${named(runs[BRANCH])} called nobody`, [branch, ...evidence]));
  }
  const more = replay.calls.length - branch.calls.length;
  if (more > 0) {
    const expected = `no call by ${named(runs[REPLAY])}: the one of ${named(runs[BRANCH])} is recorded`;
    return fail({ expected, actual: `${more} more`, diagnosis: sharedCause('second-call'), ...COUNTED }, [
      replay,
      ...evidence,
    ]);
  }
  const pairs = [[runs[BRANCH], runs[REPLAY]] as const, [runOf(recorded, BESIDE), runOf(recorded, OF_BESIDE)] as const];
  for (const [of, again] of pairs) {
    const other = otherAnswer(of, again, noncesIn(branch).slice(fresh.calls.length));
    if (other !== undefined) {
      const diagnosis = sharedCause('recorded-answer-lost');
      return fail({ diagnosis, ...other }, [branch, ...[again ?? [], of ?? []].flat()]);
    }
  }
  if (comesToTool(runs[REPLAY])) return calledByOfBehind(recorded) ?? pass([replay, ...evidence]);
  const why = `the log of ${named(runs[REPLAY])} does not show that it came to ${TOOL}`;
  return undecidedUntil('write node.completed with its nodeId, and the id of its run', why, evidence);
}

function shows({ events, snapshot }: RecordedRun, text: string): boolean {
  return JSON.stringify([events, snapshot]).includes(text);
}

/** Where a replay does not show what its branch itself was answered, and that shows it, in a log that is through with the tool. */
function otherAnswer(branch: RecordedRun | undefined, replay: RecordedRun | undefined, nonces: readonly string[]) {
  if (branch === undefined || replay === undefined) return undefined;
  const [lost] = nonces.filter((nonce) => shows(branch, nonce) && !shows(replay, nonce));
  if (lost === undefined || !comesToTool(replay)) return undefined;
  const expected = `${lost} in ${named(replay)}: the tool answered that to ${named(branch)}`;
  return { expected, actual: 'nowhere in its log and snapshot' };
}

/** The failure of a full replay of a branch that calls what is history of that: a branch from behind the tool which called nobody itself. */
function calledByOfBehind(recorded: Recordings): Outcome | undefined {
  const [branch, replay] = [runOf(recorded, BEHIND), runOf(recorded, OF_BEHIND)];
  const [first, before, after] = [REPLAY, BEHIND, OF_BEHIND].map((role) => callsOf(recorded, role));
  if (branch === undefined || replay === undefined || first === undefined || before === undefined) return undefined;
  const more = (after ?? before).calls.length - before.calls.length;
  // A branch that calls what is its history is the business of another row.
  if (more <= 0 || after === undefined || before.calls.length > first.calls.length) return undefined;
  const expected = `no call by ${named(replay)}: that below the fork point of ${named(branch)} is recorded of its source`;
  const diagnosis = sharedCause('second-call');
  return fail({ expected, actual: `${more} more`, diagnosis, ...COUNTED }, [after, replay, branch, before]);
}

/** replay.md, Endpoint table, Two modes: what is below the fork point is fixed history, also what a branch does not execute again. */
export function judgeBehind(recorded: Recordings, volatile: readonly string[]): Outcome {
  const left = leftOfCalls(recorded);
  if (left !== undefined) return left;
  const runs = need(recorded, SOURCE, BRANCH);
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const [fresh, branch, last] = [FRESH, BRANCH, BEHIND].map((role) => callsOf(recorded, role));
  if (fresh === undefined || branch === undefined) return undecided('no call was counted', [source]);
  if (last === undefined) {
    const why = `the log of ${named(source)} does not show that ${TOOL} completed, and something behind it`;
    return undecidedUntil('write node.completed with its nodeId', why, [source]);
  }
  const made = need(recorded, BEHIND);
  if (isOutcome(made)) return made;
  const { [BEHIND]: run } = made;
  const evidence = [run, last, source, branch];
  if (branch.calls.length === fresh.calls.length) {
    return rests(`${ROW}.tool`, undecided(`${named(runs[BRANCH])} called nobody`, evidence));
  }
  const more = last.calls.length - branch.calls.length;
  if (more > 0) {
    const expected = `no call by ${named(run)}: that of ${named(source)} is below its fork point`;
    const failed = fail(
      { diagnosis: wrong('history-executed'), expected, actual: `${more} more at the witness` },
      evidence,
    );
    const isOther = comparePrefixes(source, run, run.fork?.fromSeq ?? 0, volatile).kind === 'different';
    return isOther && failed.kind === 'fail' ? rests(INHERITS, failed) : failed;
  }
  return hasEnded(run) ? pass(evidence) : undecided(`${named(run)} has not ended`, evidence);
}

const INHERITS = 'fork.branch-inherits-prefix';

const CALLING = {
  suite: 'fork-contract',
  needs: [branches, { kind: 'witness' }, { kind: 'fixture', workflowId: TOOLS }],
  exclusive: [`workflow:${TOOLS}`],
} as const;

/** replay.md, Two modes, Use cases 4. */
export const branchActs = defineScenario({
  ...CALLING,
  id: `${ROW}.tool`,
  title: 'A branch from the start of a tool calls it',
  drive: driveBehind,
  checks: [
    { id: `${ROW}.tool`, title: 'A tool behind the fork point is called by the branch itself', judge: judgeTool },
    {
      id: `${INHERITS}.called`,
      title: 'A tool before the fork point is not called again by the branch',
      judge: (recorded, { options }) => judgeBehind(recorded, options.volatile),
    },
  ],
});

const UNCALLED = 'replay.no-second-external-call.of-a-branch';

/** replay.md, Two modes, internals 5: what a branch is answered is recorded of the branch: a replay of its source shows none of that. */
export function judgeSourceReplayed(recorded: Recordings): Outcome | undefined {
  const [source, branch, replay] = [SOURCE, BRANCH, REPLAYED].map((role) => runOf(recorded, role));
  const [fresh, after] = [FRESH, BRANCH].map((role) => callsOf(recorded, role));
  if (source === undefined || branch === undefined || replay === undefined) return undefined;
  if (fresh === undefined || after === undefined) return undefined;
  const own = noncesIn(after).slice(fresh.calls.length);
  const taken = own.find((nonce) => shows(replay, nonce) && shows(branch, nonce) && !shows(source, nonce));
  return taken === undefined ? undefined : answerTaken(taken, [replay, branch, source, after]);
}

/** The same of two branches that were made at once: one that goes on with what the other one alone called for shows it. */
export function judgeBeside(recorded: Recordings): Outcome | undefined {
  const [source, branch, beside] = [SOURCE, BRANCH, BESIDE].map((role) => runOf(recorded, role));
  const [fresh, after] = [FRESH, BRANCH].map((role) => callsOf(recorded, role));
  if (source === undefined || branch === undefined || beside === undefined || branch.runId === beside.runId)
    return undefined;
  if (fresh === undefined || after?.calls.length !== fresh.calls.length + 1) return undefined;
  const [nonce] = noncesIn(after).slice(-1);
  const isShared =
    nonce !== undefined &&
    [branch, beside].every((run) => comesToTool(run) && shows(run, nonce)) &&
    !shows(source, nonce);
  if (!isShared) return undefined;
  const expected = `a call of the tool by ${named(branch)}, and one by ${named(beside)}`;
  const actual = `one call, and its answer ${nonce} in both`;
  return fail({ expected, actual, diagnosis: wrong('not-independent') }, [beside, branch, source, after]);
}

/** The same of what a model answered, where the replay asks nobody. */
export function judgeModelReplayed(recorded: Recordings): Outcome | undefined {
  const [source, branch, replay] = [ASKING, ASKED_ANEW, ASKING_REPLAY].map((role) => runOf(recorded, role));
  const [before, after] = [ASKED_ANEW, ASKING_REPLAY].map((role) => callsOf(recorded, role));
  if (source === undefined || branch === undefined || replay === undefined) return undefined;
  if (before?.calls.length !== 2 || after?.calls.length !== 2) return undefined;
  const [was, other, is] = [source, branch, replay].map(outputIn);
  const isTaken = was === true && other === false && is === false;
  return isTaken ? answerTaken('{"valid":false}', [replay, branch, source, after]) : undefined;
}

/** What the model's node put out, where a run completed and shows that once. */
function outputIn(run: RecordedRun): boolean | undefined {
  if (!isCompleted(run)) return undefined;
  const ends = eventsOf(run).filter((event) => event.type === 'node.completed' && nodeOf(event) === MODEL_NODE);
  const text = JSON.stringify(ends.map(({ payload }) => payload)).replaceAll('\\', '');
  const [isTrue, isFalse] = [true, false].map((valid) => text.includes(`"valid":${valid}`));
  return isTrue === isFalse ? undefined : isTrue;
}

function answerTaken(
  answer: string,
  [replay, branch, source, calls]: readonly [RecordedRun, RecordedRun, RecordedRun, Recorded<Observation>],
): Outcome {
  const expected = `what ${named(source)} was answered in ${named(replay)}, its replay`;
  const actual = `${answer}: that was answered to ${named(branch)}, its branch`;
  return fail({ expected, actual, diagnosis: wrong('not-independent') }, [replay, branch, source, calls]);
}

/** replay.md, Determinism 1, of a run that is a branch. */
export const branchReplayed = defineScenario({
  ...CALLING,
  id: UNCALLED,
  title: 'A branch that called a tool is replayed',
  needs: [...CALLING.needs, replays],
  drive: driveReplayedTool,
  checks: [{ id: UNCALLED, title: 'What a branch called is not called again by its replay', judge: judgeReplayedTool }],
});
