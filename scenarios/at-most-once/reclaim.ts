import { advertisedFailpoints, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import { type CrashLane, type Cut, cutText } from '../../src/host/crash.ts';
import { readNow } from '../../src/host/log/now.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createRun, type StartedRun } from '../../src/host/runs.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { rawOf } from '../shared/compare-runs.ts';
import { callsAfter } from '../shared/witnessed-run.ts';
import { NOT_DEAD } from './cell.ts';
import { arm, cutNeeds, decisionsOn, disarm, passedSince, passedSoFar } from './crash-seams.ts';
import { cutsIn } from './cut-plan.ts';
import { externalKeys } from './external-key.ts';
import { stageOfName } from './failpoint-names.ts';
import { FIRST, SECOND, TWICE } from './fixtures.ts';
import { runIdOfCall } from '../shared/held-run.ts';
import { stepsOf } from './invocation-events.ts';
import { seeLife, type Sight } from './life.ts';
import {
  diedBetween,
  isReclaimed,
  judgeReclaimedAttempt,
  judgeRetriedKeys,
  judgeSecondTool,
  type ReclaimObservation,
} from './reclaim-judges.ts';

/** Runs that are tried at most where names tell nothing. */
export const MOST_TRIALS = 8;

/** Drives a run that is cut there; undefined where the scenario was stopped. */
type Try = (cut: Cut) => Promise<ReclaimObservation | undefined>;

/** Tries one cut after the other until a death lies between the calls. */
export async function tryEach(cuts: readonly Cut[], tryCut: Try): Promise<readonly ReclaimObservation[]> {
  const all: ReclaimObservation[] = [];
  for (const cut of cuts) {
    const tried = await tryCut(cut);
    if (tried !== undefined) all.push(tried);
    if (tried === undefined || isReclaimed(tried)) break;
  }
  return all;
}

/** Searches by trial for a death between the calls, among the passes of a run that was not cut, in their order. */
export async function searchBetween(passed: readonly string[], tryCut: Try): Promise<readonly ReclaimObservation[]> {
  const passes = cutsIn(passed);
  const all: ReclaimObservation[] = [];
  // Up to `from` it is too early, from `to` on too late.
  let [from, to] = [-1, passes.length];
  while (to - from > 1 && all.length < MOST_TRIALS) {
    const halfway = Math.floor((from + to) / 2);
    const place = all.length === 0 ? (secondPass(passes) ?? halfway) : halfway;
    const cut = passes[place];
    const tried = cut && (await tryCut(cut));
    if (tried === undefined) break;
    all.push(tried);
    if (isReclaimed(tried)) break;
    if (isEarly(tried)) from = place;
    else to = place;
  }
  return all;
}

/** The first second pass of a failpoint that is passed twice, as those of a tool call are in a run with two tools. */
function secondPass(passes: readonly Cut[]): number | undefined {
  const isLast = ({ name }: Cut): boolean => !passes.some((other) => other.name === name && other.hit > 2);
  const place = passes.findIndex((cut) => cut.hit === 2 && isLast(cut));
  return place === -1 ? undefined : place;
}

/** Whether the first tool had not been called, or its answer was not recorded; else the second one was already begun. */
function isEarly(tried: ReclaimObservation): boolean {
  const calls = { calls: tried.callsAtDeath };
  if (!diedBetween(tried)) return tried.died && [FIRST, SECOND].every((tool) => externalKeys(calls, tool).length === 0);
  return !stepsOf(tried, FIRST).some(({ step, outcome }) => step === 'finished' && outcome !== 'failure');
}

/**
 * Where a death lies between two calls, the best place first: before the second is claimed, after the first is committed,
 * and last after the second was begun, where a host may well end the run in doubt.
 */
const PLACES: readonly { readonly stage: number; readonly hit: number }[] = [
  { stage: -1, hit: 2 },
  { stage: 6, hit: 1 },
  { stage: 5, hit: 1 },
  { stage: 0, hit: 2 },
  { stage: 1, hit: 2 },
];

/** Runs that are tried at most. */
const TRIES = 4;

/** The cuts to try, by the names that the host advertises. */
export function cutsBetween(names: readonly string[]): readonly Cut[] {
  const cuts = PLACES.flatMap(({ stage, hit }) =>
    names.filter((name) => stageOfName(name) === stage).map((name) => ({ name, hit })),
  );
  return cuts.slice(0, TRIES);
}

/** A death when the second tool has been called, and nothing of its answer was recorded: the second pass behind the call. */
async function cutBehindSecond(names: readonly string[], tryCut: Try): Promise<readonly ReclaimObservation[]> {
  const [name] = names.filter((each) => stageOfName(each) === BEHIND_THE_CALL);
  const tried = name === undefined ? undefined : await tryCut({ name, hit: 2 });
  return tried === undefined ? [] : [tried];
}

/** The stage between the call and PutEffect: window 2 of sem §2. */
const BEHIND_THE_CALL = 2;

async function drive(probe: Probe): Promise<readonly ReclaimObservation[]> {
  const { crash, witness } = probe;
  if (crash === undefined || witness === undefined) return [];
  const names = advertisedFailpoints(readPart(probe.discovery, 'provable'));
  const tryCut = (by: 'name' | 'trial') => (cut: Cut) =>
    crash.use(async (lane) => ({ ...(await driveCut({ probe, lane, cut, visit: witness.visit() })), by }));
  const cuts = cutsBetween(names);
  if (cuts.length > 0)
    return [...(await tryEach(cuts, tryCut('name'))), ...(await cutBehindSecond(names, tryCut('name')))];
  const passed = await crash.use((lane) => passedByRun({ probe, lane, visit: witness.visit() }));
  if (passed !== undefined && passed.length > 0) return searchBetween(passed, tryCut('trial'));
  const seconds = names.map((name) => ({ name, hit: 2 }));
  return tryEach(seconds.slice(0, MOST_TRIALS), tryCut('trial'));
}

/** The failpoints that a run of the two tools passes, in order; undefined where the host does not tell. */
async function passedByRun({ probe, lane, visit }: Omit<Cutting, 'cut'>): Promise<readonly string[] | undefined> {
  const before = await passedSoFar(lane.host);
  if (before === null) return undefined;
  const started = await createTwice(lane, visit);
  if (started.kind !== 'started') return undefined;
  await seeLife(sightOf(probe, lane, false), started.runId);
  const now = await passedSoFar(lane.host);
  return (now && passedSince(before, now)) ?? undefined;
}

function createTwice({ host }: CrashLane, { url }: WitnessVisit): Promise<StartedRun> {
  return createRun(host, { workflowId: TWICE, inputs: { witnessUrl: url } });
}

interface Cutting {
  readonly probe: Probe;
  readonly lane: CrashLane;
  readonly cut: Cut;
  readonly visit: WitnessVisit;
}

/** A run that is being driven; `exchanges` grows. */
interface Driving extends Cutting {
  readonly exchanges: string[];
}

/** What is gathered while a run is driven; `problem` says where it stopped. */
type Gathered = Partial<ReclaimObservation>;

async function driveCut(cutting: Cutting): Promise<Omit<ReclaimObservation, 'by'>> {
  const { cut, visit } = cutting;
  const nothing = { runId: null, problem: null, died: false, before: [], callsAtDeath: [], events: [], snapshot: null };
  const exchanges: string[] = [];
  const gathered = await driveArmed({ ...cutting, exchanges });
  const { calls } = callsAfter('', visit);
  return { type: 'reclaim', cut: cutText(cut), ...nothing, ...gathered, calls, exchanges };
}

async function driveArmed(driving: Driving): Promise<Gathered> {
  const { lane, cut, exchanges } = driving;
  const armed = await arm(lane.host, cut);
  exchanges.push(armed.exchange);
  if (armed.problem !== null) return { problem: armed.problem };
  const begun = await begin(driving);
  if (begun.runId !== undefined && begun.runId !== null) {
    return { ...begun, ...(await followThroughDeath(driving, begun.runId)) };
  }
  exchanges.push(await disarm(lane.host, cut));
  return begun;
}

/** How long POST /v1/runs may take to name a run whose tool was called already, as a part of the time-out. */
const NAMING = 0.25;

/** Starts the run and reads its log while the first tool is held back; then the tool answers, and the host may die. */
async function begin({ probe, lane, visit, exchanges }: Driving): Promise<Gathered> {
  const hold = visit.holdEffects(FIRST.effect);
  try {
    const creating = createTwice(lane, visit);
    const arrived = hold.arrived(1, { timeoutMs: probe.timeoutMs, signal: probe.signal });
    await Promise.race([arrived, creating]);
    const started = await Promise.race([creating, pause(probe.timeoutMs * NAMING, probe.signal)]);
    if (started !== undefined) exchanges.push(started.exchange);
    const runId = started?.kind === 'started' ? started.runId : runIdOfCall(visit, FIRST.effect);
    if (runId === undefined) return { problem: 'POST /v1/runs was not answered with a run' };
    if (!(await arrived)) return { runId };
    const log = await readNow(lane.host, runId, ({ nodeId }) => nodeId === FIRST.nodeId);
    exchanges.push(...log.exchanges);
    return { runId, before: rawOf(log.events ?? []), decided: await decisionsOn(lane.host, runId) };
  } finally {
    hold.release();
  }
}

/** How many time-outs a run is followed for in each life of its host. */
const PATIENCE = 3;

function sightOf({ timeoutMs, signal }: Probe, { host }: CrashLane, returnsByItself: boolean): Sight {
  return { host, signal, patienceMs: PATIENCE * timeoutMs, streamMs: timeoutMs, returnsByItself };
}

async function followThroughDeath({ probe, lane, cut, visit, exchanges }: Driving, runId: string): Promise<Gathered> {
  const first = await seeLife(sightOf(probe, lane, !lane.armsAtStart), runId);
  exchanges.push(...first.exchanges);
  const { calls: callsAtDeath } = callsAfter('', visit);
  if (first.stopped !== 'broken') {
    exchanges.push(await disarm(lane.host, cut));
    return { problem: `${NOT_DEAD}, and the run was left ${first.stopped}`, callsAtDeath, events: rawOf(first.events) };
  }
  const died = { died: true, callsAtDeath } as const;
  const revival = await lane.revive();
  if (!revival.ok) return { ...died, problem: revival.reason };
  const { stopped, events, snapshot, exchanges: more } = await seeLife(sightOf(probe, lane, false), runId);
  exchanges.push(...more);
  const isSettled = stopped === 'ended' || stopped === 'parked';
  const problem = isSettled ? null : `the run was left ${stopped} after the host was up again`;
  const decidedAfter = await decisionsOn(lane.host, runId);
  return { ...died, problem, events: rawOf(events), snapshot, decidedAfter };
}

/** sem §4: what a step is known by after its worker has died. */
export const reclaim = defineScenario<ReclaimObservation>({
  id: 'once.reclaim',
  suite: 'at-most-once',
  title: 'Two tools, and a death between them',
  gate: provableSemantics,
  needs: cutNeeds(TWICE),
  patience: () => 10 * MOST_TRIALS,
  drive,
  checks: [
    {
      id: 'once.external-key.reclaim',
      title: 'The second tool is called with another attempt than the first, which is not called again',
      judge: judgeReclaimedAttempt,
    },
    {
      id: 'once.executed-not-recorded.second-tool',
      title: 'A second tool of a run that may have been called is not called again, nor is the first',
      judge: judgeSecondTool,
    },
    {
      id: 'once.idempotency-key.retry',
      title: 'The keys of both tools are those that they have without a death',
      judge: judgeRetriedKeys,
    },
  ],
});
