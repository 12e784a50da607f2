import { randomUUID } from 'node:crypto';
import type { Json } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut } from '../../src/host/crash.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createRun } from '../../src/host/runs.ts';
import { isInFlight } from '../../src/protocol/status.ts';
import { rawOf } from '../shared/compare-runs.ts';
import { type CellObservation, type Cuts, cutsOf, type Death, type Stopped } from './cell.ts';
import { arm, decisionsOn, disarm, isDown, passedInRun, passedSoFar, type Passes } from './crash-seams.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { deathOf, type Life, seeLife, type Sight } from './life.ts';

/** What cells are driven with. */
export interface Cutting {
  readonly probe: Pick<Probe, 'timeoutMs' | 'signal' | 'witness'>;
  readonly lane: CrashLane;
  /** Whether a request under one Idempotency-Key may be sent again after its answer was lost. */
  readonly idempotent: boolean;
  /** How long the leases of workers last by the host's discovery document; undefined where it does not say. */
  readonly leaseMs: number | undefined;
  /** Ask for the passed failpoints until they no longer grow. */
  readonly thorough: boolean;
  /** What is run instead of the workflow with one tool, and given beside the witness's address. */
  readonly run?: { readonly workflowId?: string; readonly inputs?: Readonly<Record<string, unknown>> } | undefined;
}

/** What is gathered of a cell while it is driven. */
interface Driving extends Cutting {
  /** Its cuts in their order: the next one that is to kill the host stands at the number of the deaths. */
  readonly cuts: readonly Cut[];
  readonly visit: WitnessVisit;
  readonly key: string;
  readonly deaths: Death[];
  readonly exchanges: string[];
  created: CellObservation['created'];
  runId: string | null;
}

/** A run is followed for as many time-outs in each life of its host. */
const PATIENCE = 3;

/** A cell that was not driven, and why. */
export function undriven(cuts: Cuts, notDriven: string, exchanges: readonly string[] = []): CellObservation {
  const unknown = { created: null, runId: null, problem: null, live: null, log: null, snapshot: null, decisions: null };
  const nothing = { deaths: [], stopped: 'nothing', calls: [], passed: null, patienceMs: 0, cycleMs: null } as const;
  return { type: 'cell', ...cuts, notDriven, ...unknown, ...nothing, exchanges };
}

/** Drives one run through its cuts and records what was seen, with the host up again at the end. */
export async function driveCell(cutting: Cutting, { cut, second }: Cuts): Promise<CellObservation> {
  const { lane, probe } = cutting;
  const visit = probe.witness?.visit();
  if (visit === undefined) return undriven({ cut, second }, 'there is no witness');
  const cuts = cutsOf({ cut, second });
  const begun = { key: randomUUID(), deaths: [], exchanges: [], created: null, runId: null };
  const driving: Driving = { ...cutting, cuts, visit, ...begun };
  const unarmed = cut === null ? null : await armCut(driving, cut);
  if (unarmed !== null) return undriven({ cut, second }, unarmed, driving.exchanges);
  const before = (cut === null ? await passedSoFar(lane.host) : null) ?? { names: [], total: 0 };
  const start = performance.now();
  const left = await throughDeaths(driving);
  const isSettled = left.stopped === 'ended' || left.stopped === 'parked';
  const cycleMs = isSettled ? Math.round(performance.now() - start) : null;
  const observed = await observe(driving, left);
  const { created, runId, deaths, exchanges } = driving;
  const calls = callsTo(visit).map(asJson);
  const passed = observed.passed && passedInRun(before, observed.passed, cut === null ? calls.length : 0);
  const gathered = { created, runId, deaths, calls, exchanges };
  const leaseMs = lane.leaseMs ?? cutting.leaseMs ?? null;
  return { type: 'cell', cut, second, notDriven: null, ...gathered, ...observed, passed, leaseMs, cycleMs };
}

/** Arms the first cut; a host that is down, as an earlier cut may have been passed late, is started once. */
async function armCut({ lane, exchanges }: Driving, cut: Cut): Promise<string | null> {
  const first = await arm(lane.host, cut);
  exchanges.push(first.exchange);
  if (!isDown(first)) return first.problem;
  const revival = await lane.revive();
  if (!revival.ok) return revival.reason;
  const second = await arm(lane.host, cut);
  exchanges.push(second.exchange);
  return second.problem;
}

/** How a run was left, and the last life of its host in which it was seen; `broken` where the host was gone. */
interface Lived<End extends string = Stopped | 'broken'> {
  readonly stopped: End;
  readonly problem: string | null;
  readonly life?: Life;
}

/** More deaths than this are a host that cannot stay up. */
const MOST_DEATHS = 4;

async function throughDeaths(driving: Driving): Promise<Lived<Stopped>> {
  for (;;) {
    const { stopped, ...lived } = await liveOnce(driving);
    if (stopped !== 'broken') return { ...lived, stopped };
    const { deaths, visit } = driving;
    const died = { shown: logOf(lived.life) ?? [], calls: callsTo(visit).length, how: lived.problem ?? '' };
    const down = await reviveAfter(driving, died);
    const problem = down ?? (deaths.length > MOST_DEATHS ? `the host died ${deaths.length} times` : undefined);
    if (problem !== undefined) return { ...lived, stopped: 'gone', problem };
  }
}

/** Starts the host again, armed where the second cut is due; undefined where it is up, else why it is not. */
async function reviveAfter(driving: Driving, died: Omit<Death, 'revival'>): Promise<string | undefined> {
  const { lane, cuts, deaths, visit } = driving;
  const revival = await lane.revive(cuts[deaths.length + 1]);
  deaths.push({ ...died, revival });
  if (!revival.ok) return revival.reason;
  if (revival.answered) return undefined;
  return reviveAfter(driving, { shown: [], calls: callsTo(visit).length, how: 'gone again before it answered' });
}

/** Asks for the run where it has no id yet, and follows it to its end or to the host's. */
async function liveOnce(driving: Driving): Promise<Lived> {
  const { lane, exchanges } = driving;
  const unstarted = driving.runId === null ? await askForRun(driving) : undefined;
  if (unstarted !== undefined) return unstarted;
  const life = await seeLife(sightOf(driving), driving.runId ?? '');
  exchanges.push(...life.exchanges);
  const late = life.stopped === 'ended' && isOutstanding(driving) ? await deathOf(lane.host, exchanges) : undefined;
  if (late !== undefined) return { stopped: 'broken', problem: late, life };
  return { stopped: life.stopped, problem: life.how, life };
}

function sightOf(driving: Driving): Sight {
  const { host } = driving.lane;
  const { signal, timeoutMs } = driving.probe;
  const returnsByItself = diesUnobserved(driving);
  return { host, signal, patienceMs: PATIENCE * timeoutMs, streamMs: 0.9 * timeoutMs, returnsByItself };
}

/** Whether a cut is armed that has not killed the host. */
function isOutstanding({ cuts, deaths }: Driving): boolean {
  return deaths.length < cuts.length;
}

/** Whether a host that somebody else starts again may die, and be back, before anybody looks. */
function diesUnobserved(driving: Driving): boolean {
  return isOutstanding(driving) && !driving.lane.armsAtStart;
}

/** Sends the request for the run; undefined where the run has an id now. */
async function askForRun(driving: Driving): Promise<Lived | undefined> {
  const { lane, visit, exchanges, deaths, idempotent, probe } = driving;
  const { timeoutMs, signal } = probe;
  const again = deaths.length > 0;
  if (again && !idempotent) {
    await callsMayCome(driving);
    driving.created = 'lost';
    return { stopped: 'nothing', problem: 'the answer to POST /v1/runs was lost with the host' };
  }
  const { workflowId = ONCE, inputs } = driving.run ?? {};
  const request = { workflowId, inputs: { witnessUrl: visit.url, ...inputs } };
  const started = await repeatPaced(
    () => createRun(lane.host, request, { 'idempotency-key': driving.key }),
    (each) => !(again && each.kind === 'refused' && isInFlight(each.status)),
    { patienceMs: timeoutMs, signal },
  );
  exchanges.push(started.exchange);
  if (started.kind === 'started') {
    driving.runId = started.runId;
    driving.created = again ? 'asked again' : 'answered';
    return undefined;
  }
  if (signal.aborted) return { stopped: 'aborted', problem: null };
  const how = await deathOf(lane.host, exchanges);
  if (how !== undefined) return { stopped: 'broken', problem: how };
  if (started.kind === 'failed' && started.failure === 'reset' && diesUnobserved(driving)) {
    return { stopped: 'broken', problem: 'the connection broke off' };
  }
  driving.created = 'refused';
  const answer = started.kind === 'refused' ? `was answered with ${started.status}` : `made no run: ${started.reason}`;
  return { stopped: 'nothing', problem: `POST /v1/runs ${answer}` };
}

/** A part of a time-out that a run which cannot be found is given to call the tool. */
const QUIET = 0.1;

async function callsMayCome({ visit, probe: { timeoutMs, signal } }: Driving): Promise<void> {
  await repeatPaced(
    async () => callsTo(visit).length,
    (calls) => calls > 1,
    { patienceMs: QUIET * timeoutMs, signal },
  );
}

function callsTo(visit: WitnessVisit): readonly WitnessCall[] {
  return visit.calls().filter(({ kind, name }) => kind === 'effect' && name === CHARGE.effect);
}

/** Reads what the host shows of the run and of itself, and disarms the cut that did not kill it. */
async function observe(driving: Driving, { stopped, problem, life }: Lived<Stopped>) {
  const { lane, cuts, runId, deaths, exchanges, probe } = driving;
  const isUp = stopped !== 'gone' && stopped !== 'aborted';
  const decisions = isUp && runId !== null ? await decisionsOn(lane.host, runId) : null;
  const passed = isUp ? await allPassed(driving) : null;
  const armed = cuts[deaths.length];
  if (isUp && armed !== undefined) exchanges.push(await disarm(lane.host, armed));
  // A run that is not cut is read once more: what a client is only shown live is no part of the log.
  const isRead = cuts.length === 0 && stopped === 'ended';
  const again = isRead ? await seeLife(sightOf(driving), runId ?? '') : undefined;
  const shown = {
    live: again === undefined ? null : logOf(life),
    log: logOf(again ?? life),
    snapshot: life?.snapshot ?? null,
  };
  return { stopped, problem, ...shown, decisions, passed, patienceMs: PATIENCE * probe.timeoutMs };
}

function logOf(life: Life | undefined): readonly Json[] | null {
  return life?.logRead === true ? rawOf(life.events) : null;
}

function asJson({ name, method, idempotencyKey, body, answer }: WitnessCall): Json {
  return { name, method, idempotencyKey, body, answer };
}

/** Pauses before the list of passes is asked for again, in milliseconds. */
const GROWTH_MS = 40;

/** The passes of the host's process; a host may still pass some when the end of a run is known already. */
async function allPassed({ lane, thorough, probe: { timeoutMs, signal } }: Driving): Promise<Passes | null> {
  let passed = await passedSoFar(lane.host);
  if (!thorough || passed === null) return passed;
  const deadline = Date.now() + timeoutMs;
  for (let known = -1; known < passed.total && !signal.aborted && Date.now() < deadline;) {
    known = passed.total;
    await pause(GROWTH_MS, signal);
    passed = (await passedSoFar(lane.host)) ?? passed;
  }
  return passed;
}
