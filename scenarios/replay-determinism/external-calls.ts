import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass } from '../../src/contract/outcome.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { diffPath } from '../../src/protocol/paths.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { cancelRun } from '../shared/cancel.ts';
import { bounds, eventsOf, rawOf } from '../shared/compare-runs.ts';
import { compareFacts } from '../shared/happened.ts';
import { startHeld } from '../shared/held-run.ts';
import type { RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { readCancelledPastEnd } from '../shared/past-the-end.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { forkPoints, replayOf, replays } from '../shared/replays.ts';
import { isObserved, offersMode, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import {
  calledAgain,
  type CallObservation,
  type CountedRuns,
  countedRuns,
  createCounter,
  judgeCalls,
  judgeResponse,
} from './calls.ts';
import { wrong } from './diagnoses.ts';
import { withoutTelemetry } from './judge-silent.ts';

const SIDE_EFFECTS = 'conformance-determinism-side-effects';
const TOOL = 'call-tool';
const AGAIN = 'replay of the replay';
const BRANCH = 'branch from the beginning';
const PROVIDER = 'conformance-determinism-llm-provider';
const MODEL_NODE = 'provider-call';

/** The row about calls, and the scenario of a tool's; that of a model's. */
export const once = 'replay.no-second-external-call';
export const onceAsked = `${once}.model`;

/** Replays of one log at most, the one from its beginning among them. */
const SWEEP = 24;

const EFFECT = 'side-effect';
const isEffect = ({ kind, name }: WitnessCall): boolean => kind === 'effect' && name === EFFECT;

/** Answers that a host may take for none, and how each is staged. */
const BARREN: Readonly<Record<string, (visit: WitnessVisit) => void>> = {
  'tool answers null': (visit) => visit.stageEffect(EFFECT, null),
  'tool fails': (visit) => visit.failEffect(EFFECT, 'status 500', 0),
  'call is reset': (visit) => visit.failEffect(EFFECT, 'reset', 0),
};
function sourceWhere(why: string): string {
  return `source where the ${why}`;
}

/** A run of two tools, one after the other, that is cancelled while the second is asked. */
const CANCELLED = sourceWhere('run is cancelled behind the call');
const TWICE = 'conformance-determinism-once-twice';
const [FIRST, SECOND] = ['first', 'second'] as const;

/** Runs whose tool gave nothing or that were cancelled, and their replays, wherever a source called it. */
export function barrenRuns(recorded: Recordings): readonly CountedRuns[] {
  return countedOf(recorded, [...Object.keys(BARREN).map(sourceWhere), CANCELLED]);
}

/**
 * The sources whose model's node is tried again: one that fails at last, and one that completes; and one whose model says that its answer
 * was cut off. The scenario of failures drives them.
 */
export const TRIED_AGAIN = 'source that is tried again';
export const COMPLETED = 'source that is tried again and completes';
export const CUT_OFF = 'source whose answer was cut off';

/** The failure of a replay of one of these that asks the model for an attempt; undefined where none does. */
export function askedForAttempt(recorded: Recordings): Outcome | undefined {
  const called = countedOf(recorded, [TRIED_AGAIN, COMPLETED, CUT_OFF]).map(calledAgain);
  return called.find((each) => each !== undefined);
}

function countedOf(recorded: Recordings, roles: readonly string[]): readonly CountedRuns[] {
  const counted = roles.map((role) => countedRuns(recorded, role));
  return counted.flatMap((each) => (isOutcome(each) ? [] : [each]));
}

async function driveTool(
  probe: Probe,
  options: ScenarioOptions,
): Promise<readonly (CallObservation | ReadingObservation)[]> {
  const barren = Object.entries(BARREN).map(([why, stage]) => driveBarren(probe, why, stage));
  const usual = driveUsual(probe, options);
  return (await Promise.all([usual, ...barren, driveCancelled(probe, usual)])).flat();
}

/**
 * A run that is cancelled while its tool is asked is read past its end when others have been driven since that answered. What a replay
 * of it comes to behind what was recorded no document says: it is left there, and cancelled.
 */
async function driveCancelled(
  probe: Probe,
  others: Promise<unknown>,
): Promise<readonly (CallObservation | ReadingObservation)[]> {
  if (probe.witness === undefined) return [];
  const { visit, seen, take } = createCounter(probe.witness, ({ kind, name }) => kind === 'effect' && name === FIRST);
  const inputs = { witnessUrl: visit.url };
  const held = { visit, role: CANCELLED, whileHeld: (runId: string) => cancelRun(probe, runId) };
  const twice = await startHeld(probe, { ...held, request: { workflowId: TWICE, inputs }, effect: SECOND });
  const { run } =
    twice.run.runId === null
      ? await startHeld(probe, { ...held, request: { workflowId: SIDE_EFFECTS, inputs }, effect: EFFECT })
      : twice;
  const events = eventsOf(run);
  if (!isObserved(run) || endOf(events) !== 'cancelled') return [];
  await others;
  const past = await readCancelledPastEnd(probe, run.runId);
  if (!events.some((event) => event.type === 'node.completed' && nodeOf(event) === FIRST)) return past;
  take(run);
  const role = 'replay where the run is cancelled behind the call';
  const until = (event: RunEvent): boolean => nodeOf(event) === SECOND;
  const replay = await startFork(probe, run, { mode: 'replay' }, { role, until });
  await cancelRun(probe, replay.runId);
  if (!isObserved(replay)) return past;
  take(replay);
  return [...past, ...seen];
}

/** Whether the run fails, or goes on without an answer, is the host's to say: only what its replay calls counts. */
async function driveBarren(
  probe: Probe,
  why: string,
  stage: (visit: WitnessVisit) => void,
): Promise<readonly CallObservation[]> {
  if (probe.witness === undefined) return [];
  const { visit, seen, take } = createCounter(probe.witness, isEffect);
  stage(visit);
  const request = { workflowId: SIDE_EFFECTS, inputs: { witnessUrl: visit.url } };
  const source = take(await startRun(probe, request, { role: sourceWhere(why) }));
  if (source.problem !== null || visit.calls().length === 0) return seen;
  take(await replayOf(probe, source, undefined, { role: `replay where the ${why}` }));
  return seen;
}

async function driveUsual(probe: Probe, { forks }: ScenarioOptions): Promise<readonly CallObservation[]> {
  if (probe.witness === undefined) return [];
  const { visit, seen, take, compared } = createCounter(probe.witness, isEffect);
  const request = { workflowId: SIDE_EFFECTS, inputs: { witnessUrl: visit.url } };
  const source = take(await startRun(probe, request, { role: 'source' }));
  if (!isObserved(source) || visit.calls().length === 0) return seen;
  const replay = take(await replayOf(probe, source, undefined));
  if (isObserved(replay)) compared(replay, await askForDifferences(probe, source.runId, replay.runId));
  for (const fromSeq of forkPoints(source, aroundTheTool(source), Math.min(SWEEP, forks) - 2)) {
    take(await replayOf(probe, source, fromSeq));
  }
  const again = take(await replayOf(probe, replay, undefined, { role: AGAIN }));
  if (isObserved(again)) take(await replayOf(probe, again, undefined, { role: `${AGAIN}, replayed` }));
  return seen;
}

/** Asks, either way round, how two runs differ: a host may find that out by carrying them out. */
async function askForDifferences(probe: Probe, a: string, b: string): Promise<readonly string[]> {
  const paths = [diffPath(a, b), diffPath(b, a)];
  const answers = await Promise.all(paths.map((path) => probe.host.exchange({ method: 'GET', path })));
  return answers.map(({ id }) => id);
}

/** Where the tool's node begins, in its middle, and after its end. */
function aroundTheTool(source: RunObservation): readonly number[] {
  const events = eventsOf(source);
  const places = events.flatMap((event, index) => (nodeOf(event) === TOOL ? [index] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [];
  const middle = Math.floor((first + last) / 2) + 1;
  const wanted = new Set([first, Math.min(middle, last), last + 1]);
  return [...wanted]
    .flatMap((index) => events[index]?.sequence ?? [])
    .filter((sequence) => sequence !== events[0]?.sequence);
}

/** The part of an answer that is in no other: its nonce. */
function nonce(answer: Json): string | undefined {
  const value = member(answer, 'nonce');
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface ToolRuns extends CountedRuns {
  /** Those whose tool gave nothing, and one that was cancelled. */
  readonly barren: readonly CountedRuns[];
}

function seeTool(recorded: Recordings): ToolRuns | Outcome {
  const usual = countedRuns(recorded);
  if (isOutcome(usual)) return usual;
  return { ...usual, barren: barrenRuns(recorded) };
}

/** Whether a replay is one of a replay, or one of that. */
function isAgain({ run }: CountedRuns['replays'][number]): boolean {
  return run.role.startsWith(AGAIN);
}

/** A recorded failure is a record, and so is an answer of null: whoever calls again where one is has not looked. */
function judgeTool({ barren, ...usual }: ToolRuns): Outcome {
  const outcome = judgeCalls({ ...usual, replays: usual.replays.filter((each) => !isAgain(each)) });
  if (outcome.kind === 'fail') return outcome;
  const called = barren.map(calledAgain).find((each) => each !== undefined);
  if (called !== undefined || outcome.kind !== 'pass') return called ?? outcome;
  const more = barren.flatMap((each) => [each.source, ...each.replays.map(({ run }) => run)]);
  return pass([...outcome.evidence, ...more]);
}

/** replay.md, Determinism 1, counted outside the host. */
export const toolCalls = defineScenario({
  id: once,
  suite: 'replay-determinism',
  title: 'A tool outside the host, called once',
  needs: [replays, { kind: 'witness' }, { kind: 'fixture', workflowId: SIDE_EFFECTS }],
  exclusive: [`workflow:${SIDE_EFFECTS}`],
  patience: ({ forks }) => 30 + 3 * Math.min(SWEEP, forks),
  drive: driveTool,
  see: seeTool,
  checks: [
    {
      id: once,
      title: "A side-effecting node's external system is not called again on replay",
      judge: judgeTool,
    },
    {
      id: `${once}.replay-of-replay`,
      title: 'Nor is it called when a replay is replayed',
      judge: (runs) => judgeCalls({ ...runs, replays: runs.replays.filter(isAgain) }),
    },
    {
      id: `${once}.cached-response`,
      title: 'The recorded response is returned on replay',
      judge: (runs) => judgeResponse(runs, nonce),
    },
  ],
});

async function driveModel(probe: Probe): Promise<readonly CallObservation[]> {
  if (probe.witness === undefined) return [];
  const { visit, seen, take } = createCounter(probe.witness, ({ kind }) => kind === 'chat');
  visit.stageChat([{ kind: 'valid', content: '{"valid":true}' }]);
  const request = { workflowId: PROVIDER, inputs: { witnessUrl: visit.url } };
  const source = take(await startRun(probe, request, { role: 'source' }));
  if (source.problem !== null || visit.calls().length === 0) return seen;
  const replay = take(await replayOf(probe, source, undefined));
  const events = eventsOf(source);
  const call = events.findIndex((event) => nodeOf(event) === MODEL_NODE);
  const next = call === -1 ? undefined : events[call + 1];
  if (next !== undefined) take(await replayOf(probe, source, next.sequence));
  take(await replayOf(probe, replay, undefined, { role: AGAIN }));
  if (!offersMode(probe.discovery, 'branch')) return seen;
  const body = { mode: 'branch', fromSeq: bounds(source).first } as const;
  const branch = take(await startFork(probe, source, body, { role: BRANCH }));
  if (isObserved(branch)) take(await replayOf(probe, branch, undefined, { role: `replay of the ${BRANCH}` }));
  return seen;
}

/** Why a host may have called no model (replay.md, LLM cache-key recipe, C). */
const CACHED =
  ' (unless an equal request of another run was answered before, and runs share responses: run this row alone)';

interface ModelRuns {
  readonly own: CountedRuns | Outcome;
  /** A branch from the beginning, which may ask for itself, and its replay. */
  readonly branched: CountedRuns | Outcome;
  /** What replays of nodes that were tried again did wrong. */
  readonly retried: Outcome | undefined;
}

function judgeModel({ own, branched, retried }: ModelRuns): Outcome {
  const outcome = isOutcome(own) ? own : judgeCalls(own);
  if (outcome.kind === 'fail') return outcome;
  if (retried !== undefined || isOutcome(branched)) return retried ?? outcome;
  return calledAgain(branched) ?? otherAnswer(branched) ?? outcome;
}

/** The failure of the replay of a branch whose model's node puts out something else than it does in the branch, which asked for itself. */
function otherAnswer({ source: branch, replays: [replayed] }: CountedRuns): Outcome | undefined {
  const replay = replayed?.run;
  if (replay === undefined || replay.problem !== null) return undefined;
  const [ours, theirs] = [branch, replay].map(modelOf);
  if (ours === undefined || theirs === undefined || theirs.events.length === 0) return undefined;
  const compared = compareFacts(withoutTelemetry(ours), withoutTelemetry(theirs), []);
  if (compared.kind !== 'different') return undefined;
  const { expected, actual } = compared.mismatch;
  return fail({ expected, actual, diagnosis: wrong('other-response') }, [replay, branch]);
}

/** A run whose log holds nothing but what its model's node put out. */
function modelOf(run: RecordedRun): RecordedRun {
  const own = eventsOf(run).filter((event) => event.type === 'node.completed' && nodeOf(event) === MODEL_NODE);
  return { ...run, events: rawOf(own) };
}

/** replay.md, Determinism 1 names LLMs first among external systems. */
export const modelCalls = defineScenario({
  id: onceAsked,
  suite: 'replay-determinism',
  title: 'A model outside the host, called once',
  needs: [replays, { kind: 'witness' }, { kind: 'fixture', workflowId: PROVIDER }],
  foundation: true,
  drive: driveModel,
  see: (recorded, { everything }): ModelRuns => ({
    own: countedRuns(recorded, 'source', CACHED),
    branched: countedRuns(recorded, BRANCH),
    retried: askedForAttempt(everything.filter(({ scenario }) => scenario === 'replay.same-failure')),
  }),
  checks: [{ id: onceAsked, title: 'A model provider is not called again on replay', judge: judgeModel }],
});
