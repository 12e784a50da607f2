import { copyPacked } from '../../src/evidence/pack.ts';
import type { ChatAnswer } from '../../src/evidence/witness.ts';
import { createEventLog } from '../../src/host/log/event-log.ts';
import { readPollPages } from '../../src/host/log/pages.ts';
import type { Probe } from '../../src/host/probe.ts';
import { runMadeAt } from '../../src/protocol/paths.ts';
import { isUnknown } from '../shared/first-run.ts';
import { readBefore, readBeside } from '../shared/past-the-end.ts';
import { type ReadingObservation, readSeen } from '../shared/reading.ts';
import { replayOf } from '../shared/replays.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import {
  isObserved,
  notExecuted,
  readAgain,
  withSnapshotAgain,
  startRun,
  type RunObservation,
} from '../shared/run-observation.ts';
import { readSnapshot } from '../shared/snapshot.ts';
import { mockModels, modelsOfKinds, witnessModel, type Model } from './model.ts';
import { startOf } from './node-in-log.ts';
import {
  roleOf,
  twiceOn,
  type RefusalObservation,
  type StepName,
  type Way,
  type WayObservation,
} from './observation.ts';
import { unobservedText } from '../shared/unobserved.ts';

/** One run after the source. */
interface Step {
  readonly name: Exclude<StepName, 'source' | 'before' | 'after' | 'changed-whole'>;
  /** What the model answers from here on; where absent, nothing is changed. */
  readonly answers?: readonly ChatAnswer[];
}

/** What is driven on every way. */
export interface Plan {
  /** What the model answers from the source run on. */
  readonly first: readonly ChatAnswer[];
  /**
   * What the mock model answers instead, each time something else, so that it shows who was asked. It serves where the source ends as
   * wanted: a node that asks a second time within one run gets another answer.
   */
  readonly counted?: {
    readonly answers: readonly ChatAnswer[];
    readonly serves: (source: RunObservation, nodeId: string) => boolean;
  };
  readonly steps: readonly Step[];
}

/** Drives the plan with the mock model and with the witness's, at the same time: they share nothing. */
export async function driveBothWays(
  probe: Probe,
  plan: Plan,
  named: (way: Way) => Way = (way) => way,
): Promise<readonly RefusalObservation[]> {
  const as = (model: Model): Model => ({ ...model, way: named(model.way) });
  const witness = witnessModel(probe);
  const ways = [
    driveMock(probe, plan, mockModels(probe).map(as)),
    ...(witness === undefined ? [] : [driveWay(probe, as(witness), plan)]),
  ];
  return (await Promise.all(ways)).flat();
}

/** The ways of a source that is refused, beside those of one that is answered. */
export function refusedFirst(way: Way): Way {
  return way === 'witness' ? 'refused-witness' : 'refused-mock';
}

/** Falls back on the workflow that public hosts seed where the host does not know the better one, or has no nodes for it. */
async function driveMock(probe: Probe, plan: Plan, models: readonly Model[]): Promise<readonly RefusalObservation[]> {
  let driven: readonly RefusalObservation[] = [];
  for (const model of models) {
    driven = await driveWay(probe, model, plan);
    const source = driven.find((each) => each.type === 'run');
    if (source === undefined || !(isUnknown(source) || notExecuted(source.events) !== undefined)) break;
  }
  return driven;
}

/** Drives the plan with the mock model of nodes of other kinds, one after the other: they are nodes of one workflow. */
export async function driveKinds(probe: Probe, plan: Plan): Promise<readonly RefusalObservation[]> {
  const driven: (readonly RefusalObservation[])[] = [];
  for (const model of modelsOfKinds(probe)) driven.push(await driveWay(probe, model, plan));
  return driven.flat();
}

/** What is noted on one way while it is driven. */
interface Tour {
  readonly probe: Probe;
  readonly model: Model;
  readonly runs: RunObservation[];
  /** What is read beside following runs: the source before its replays and after them, a replay over every transport. */
  readonly beside: (ReadingObservation | RequestedObservation)[];
  readonly asked: Record<string, number>;
  readonly forgot: string[];
  readonly again: string[];
  readonly exchanges: string[];
  counted: boolean;
}

async function driveWay(probe: Probe, model: Model, plan: Plan): Promise<readonly RefusalObservation[]> {
  const again: string[] = [];
  const noting = { ...probe, host: notingAgain(probe.host, again) };
  const noted = { runs: [], beside: [], asked: {}, forgot: [], again, exchanges: [], counted: false };
  const tour: Tour = { probe: noting, model, ...noted };
  const problem = await problemOf(tour, plan);
  if (tour.runs.length > 0) tour.exchanges.push(...(await model.leave()));
  const { runs, beside, asked, forgot, exchanges, counted } = tour;
  const { way, fixture } = model;
  const evidence = [...exchanges, ...runs.flatMap((run) => run.exchanges.slice(0, 1))];
  return [
    {
      type: 'way',
      way,
      ...fixture,
      problem,
      asked,
      forgot,
      again,
      counted,
      exchanges: evidence,
    } satisfies WayObservation,
    ...runs,
    ...beside,
  ];
}

/** Notes the requests for runs that were put off before they were answered: the model may have been asked for a run that nobody sees. */
function notingAgain(host: Probe['host'], again: string[]): Probe['host'] {
  return {
    ...host,
    exchange: async (request) => {
      const exchange = await host.exchange(request);
      const makesRun = request.method === 'POST' && runMadeAt(request.path) !== undefined;
      if (makesRun && exchange.kind === 'response' && exchange.again === true) again.push(exchange.id);
      return exchange;
    },
  };
}

/** Drives the whole plan; says where and why it could not go on. */
async function problemOf(tour: Tour, plan: Plan): Promise<string | null> {
  const { probe, model, runs, beside } = tour;
  const source = (await startCounted(tour, plan)) ?? (await startSource(tour, plan.first));
  if (typeof source === 'string') return source;
  if (!isObserved(source)) return unobservedText(source);
  runs.push(await wholeLog(probe, source, roleOf(model.way, 'before')));
  beside.push(...(await readBefore(probe, source)));
  for (const step of plan.steps) {
    const problem = await take(tour, source, step);
    if (problem !== null) return problem;
  }
  const again = await wholeRun(probe, source, roleOf(model.way, 'after'));
  runs.push(again);
  beside.push(...(await readBeside(probe, source, { again, row: twiceOn(model.way).row })));
  return null;
}

/** A source of the mock model whose answers tell who was asked; undefined where it does not serve. */
async function startCounted(tour: Tour, { counted }: Plan): Promise<RunObservation | string | undefined> {
  const { model, runs } = tour;
  if (counted === undefined || model.way !== 'mock') return undefined;
  const source = await startSource(tour, counted.answers);
  tour.counted = typeof source !== 'string' && isObserved(source) && counted.serves(source, model.fixture.nodeId);
  if (typeof source === 'string' || !isObserved(source) || tour.counted) return source;
  runs.pop();
  return undefined;
}

/** Stages answers, and runs the source; says why the model could not be told of them. */
async function startSource(tour: Tour, answers: readonly ChatAnswer[]): Promise<RunObservation | string> {
  const { probe, model } = tour;
  const staged = await model.stage(answers);
  tour.exchanges.push(...staged.exchanges);
  if (staged.problem !== null) return staged.problem;
  return see(tour, 'source', (role) => startRun(probe, requestOf(model), { role }));
}

async function take(tour: Tour, source: RunObservation, { name, answers }: Step): Promise<string | null> {
  const { probe, model, runs, beside } = tour;
  const parent = name === 'changed-of-replay' ? replayIn(tour) : source;
  if (parent === undefined) return null;
  if (answers !== undefined) {
    const change = await model.change(answers, parent.runId ?? '');
    tour.exchanges.push(...change.exchanges);
    if (change.problem !== null) return change.problem;
    if (change.forgot) tour.forgot.push(name);
  }
  if (name === 'fresh' || name === 'control') {
    if (model.way === 'witness') return null;
    return hanging(await see(tour, name, (role) => startRun(probe, requestOf(model), { role })));
  }
  const fromSeq = name === 'changed-from-call' ? startOf(source, model.fixture.nodeId) : undefined;
  if (name === 'changed-from-call' && fromSeq === undefined) return null;
  const fork = await see(tour, name, (role) => replayOf(probe, parent, fromSeq, { role }));
  if (name === 'changed' && isObserved(fork))
    runs.push(await wholeLog(probe, fork, roleOf(model.way, 'changed-whole')));
  if (name === 'changed' || name === 'cached') beside.push(...(await readSeen(probe, fork)));
  return hanging(fork);
}

/** The replay with nothing changed, where it was seen to its end. */
function replayIn({ model, runs }: Tour): RunObservation | undefined {
  return runs.find((run) => run.role === roleOf(model.way, 'cached') && isObserved(run));
}

/** A host that does not end one run would let all others wait as long. */
function hanging(run: RunObservation): string | null {
  return run.runId === null || run.problem === null ? null : unobservedText(run);
}

/** Drives one run and notes what came to the model meanwhile. */
async function see(
  { model, asked, runs }: Tour,
  step: StepName,
  drive: (role: string) => Promise<RunObservation>,
): Promise<RunObservation> {
  const before = model.calls();
  const run = await drive(roleOf(model.way, step));
  const after = model.calls();
  if (before !== undefined && after !== undefined) asked[step] = after - before;
  runs.push(run);
  return run;
}

function requestOf({ fixture, inputs }: Model): Parameters<typeof startRun>[1] {
  return { workflowId: fixture.workflowId, inputs };
}

/**
 * The log of a run that has ended, read once more as a list: a stream ends with the terminal event and hides what a host
 * wrote after it. Where the host has no poll endpoint, the run is followed again. The snapshot is the one of before.
 */
async function wholeLog(probe: Probe, run: RunObservation, role: string): Promise<RunObservation> {
  const { runId } = run;
  if (runId === null) return copyPacked(run, { role });
  const log = createEventLog();
  const { exchanges, problem } = await readPollPages(probe.host, runId, log);
  if (problem !== undefined || !log.hasEnded()) return readAgain(probe, run, { role });
  const whole = copyPacked(run, { role, events: [], exchanges });
  log.keepIn(whole, 'events');
  return whole;
}

/** The same with the snapshot as it is now, read twice. */
async function wholeRun(probe: Probe, run: RunObservation, role: string): Promise<RunObservation> {
  const read = await wholeLog(probe, run, role);
  const now = await readSnapshot(probe, probe.host, { runId: run.runId ?? '', ended: undefined });
  const { snapshot, exchanges } = now;
  return withSnapshotAgain(probe, copyPacked(read, { snapshot, exchanges: [...read.exchanges, ...exchanges] }));
}
