import { randomUUID } from 'node:crypto';
import type { Json } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut } from '../../src/host/crash.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createRun, type StartedRun } from '../../src/host/runs.ts';
import { isInFlight } from '../../src/protocol/status.ts';
import { EFFECT, ONCE, type CellObservation, type Cuts, type Death, type Stopped } from './cell.ts';
import { arm, decisionsOn, disarm, passedSoFar } from './crash-seams.ts';
import { deathOf, seeLife, type Life, type Sight } from './life.ts';

/** What cells are driven with. */
export interface Cutting {
  readonly probe: Pick<Probe, 'timeoutMs' | 'signal' | 'witness'>;
  readonly lane: CrashLane;
  /** Whether a request under one Idempotency-Key may be sent again after its answer was lost. */
  readonly idempotent: boolean;
  /** Ask for the passed failpoints until they no longer grow. */
  readonly thorough: boolean;
}

/** What is gathered of a cell while it is driven. */
interface Driving extends Cutting {
  readonly cuts: Cuts;
  readonly visit: WitnessVisit;
  readonly key: string;
  readonly deaths: Death[];
  readonly exchanges: string[];
  created: CellObservation['created'];
  runId: string | null;
}

/** A run is followed for as many time-outs in each life of its host. */
const PATIENCE = 3;

const UNSEEN = {
  created: null,
  runId: null,
  deaths: [],
  stopped: 'nothing',
  problem: null,
  live: null,
  log: null,
  snapshot: null,
  calls: [],
  decisions: null,
  passed: null,
  patienceMs: 0,
  cycleMs: null,
} as const;

/** A cell that was not driven, and why. */
export function undriven(cuts: Cuts, notDriven: string, exchanges: readonly string[] = []): CellObservation {
  return { type: 'cell', ...cuts, notDriven, ...UNSEEN, exchanges };
}

/** Drives one run through its cuts and records what was seen, with the host up again at the end. */
export async function driveCell(cutting: Cutting, cuts: Cuts): Promise<CellObservation> {
  const { lane, probe } = cutting;
  const visit = probe.witness?.visit();
  if (visit === undefined) return undriven(cuts, 'there is no witness');
  const driving: Driving = {
    ...cutting,
    cuts,
    visit,
    key: randomUUID(),
    deaths: [],
    exchanges: [],
    created: null,
    runId: null,
  };
  const unarmed = cuts.cut === null ? undefined : await armCut(driving, cuts.cut);
  if (unarmed !== undefined) return undriven(cuts, unarmed, driving.exchanges);
  const before = cuts.cut === null ? await passedSoFar(lane.host) : null;
  const start = performance.now();
  const left = await throughDeaths(driving);
  const cycleMs = left.stopped === 'ended' || left.stopped === 'parked' ? performance.now() - start : null;
  return observe(driving, left, { cycleMs, before: before?.length ?? 0 });
}

/** Arms the first cut; a host that is down, as an earlier cut may have been passed late, is started once. */
async function armCut({ lane, exchanges }: Driving, cut: Cut): Promise<string | undefined> {
  for (const attempt of ['first', 'second'] as const) {
    const armed = await arm(lane.host, cut);
    exchanges.push(armed.exchange);
    if (armed.ok) return undefined;
    if (!armed.down || attempt === 'second') return armed.reason;
    const revival = await lane.revive();
    if (!revival.ok) return revival.reason;
  }
  return undefined;
}

/** How a run was left in the end. */
interface Left {
  readonly stopped: Stopped;
  readonly problem: string | null;
  readonly life: Life | undefined;
}

/** More deaths than this are a host that cannot stay up. */
const MOST_DEATHS = 4;

async function throughDeaths(driving: Driving): Promise<Left> {
  for (;;) {
    const lived = await liveOnce(driving);
    if (lived.stopped !== 'broken') return { ...lived, stopped: lived.stopped };
    const calls = callsOf(driving).length;
    const down = await reviveAfter(driving, { shown: rawOf(lived.life) ?? [], calls, how: lived.problem ?? '' });
    if (down !== undefined) return { stopped: 'gone', problem: down, life: lived.life };
    if (driving.deaths.length > MOST_DEATHS) {
      return { stopped: 'gone', problem: `the host died ${driving.deaths.length} times`, life: lived.life };
    }
  }
}

/** Starts the host again, armed where the second cut is due; undefined where it is up, else why it is not. */
async function reviveAfter(driving: Driving, died: Omit<Death, 'revival'>): Promise<string | undefined> {
  const { lane, cuts, deaths } = driving;
  const armed = deaths.length === 0 ? cuts.second : null;
  const revival = await (armed === null ? lane.revive() : lane.revive(armed));
  deaths.push({ ...died, revival });
  if (!revival.ok) return revival.reason;
  if (revival.answered) return undefined;
  const calls = callsOf(driving).length;
  return reviveAfter(driving, { shown: [], calls, how: 'gone again before it answered' });
}

interface Lived {
  readonly stopped: Stopped | 'broken';
  readonly problem: string | null;
  readonly life: Life | undefined;
}

/** Asks for the run where it has no id yet, and follows it to its end or to the host's. */
async function liveOnce(driving: Driving): Promise<Lived> {
  const { lane, exchanges } = driving;
  if (driving.runId === null) {
    const unstarted = await askForRun(driving);
    if (unstarted !== undefined) return { life: undefined, ...unstarted };
  }
  const outstanding = isOutstanding(driving);
  const life = await seeLife(sightOf(driving), driving.runId ?? '');
  exchanges.push(...life.exchanges);
  const late = life.stopped === 'ended' && outstanding ? await deathOf(lane.host, exchanges) : undefined;
  if (late !== undefined) return { stopped: 'broken', problem: late, life };
  return { stopped: life.stopped, problem: life.how, life };
}

function sightOf(driving: Driving): Sight {
  const { lane, probe } = driving;
  return {
    host: lane.host,
    signal: probe.signal,
    patienceMs: PATIENCE * probe.timeoutMs,
    streamMs: 0.9 * probe.timeoutMs,
    returnsByItself: isOutstanding(driving) && !lane.armsAtStart,
  };
}

/** Whether a cut is armed that has not killed the host. */
function isOutstanding({ cuts, deaths }: Driving): boolean {
  return deaths.length < [cuts.cut, cuts.second].filter((cut) => cut !== null).length;
}

/** Sends the request for the run; undefined where the run has an id now. */
async function askForRun(driving: Driving): Promise<Omit<Lived, 'life'> | undefined> {
  const { lane, visit, exchanges, deaths, idempotent, probe } = driving;
  const again = deaths.length > 0;
  if (again && !idempotent) {
    await callsMayCome(driving);
    driving.created = 'lost';
    return { stopped: 'nothing', problem: 'the answer to POST /v1/runs was lost with the host' };
  }
  const request = { workflowId: ONCE, inputs: { witnessUrl: visit.url } };
  const started = await repeatPaced(
    () => createRun(lane.host, request, { 'idempotency-key': driving.key }),
    (each) => !(again && each.kind === 'refused' && isInFlight(each.status)),
    { patienceMs: probe.timeoutMs, signal: probe.signal },
  );
  exchanges.push(started.exchange);
  if (started.kind === 'started') {
    driving.runId = started.runId;
    driving.created = again ? 'asked again' : 'answered';
    return undefined;
  }
  return refusedRun(driving, started);
}

async function refusedRun(
  driving: Driving,
  started: Exclude<StartedRun, { kind: 'started' }>,
): Promise<Omit<Lived, 'life'>> {
  const { lane, exchanges, probe } = driving;
  if (probe.signal.aborted) return { stopped: 'aborted', problem: null };
  const how = await deathOf(lane.host, exchanges);
  if (how !== undefined) return { stopped: 'broken', problem: how };
  const isCutOff = started.kind === 'failed' && started.reason === 'reset';
  if (isCutOff && isOutstanding(driving) && !lane.armsAtStart) {
    return { stopped: 'broken', problem: 'the connection broke off' };
  }
  driving.created = 'refused';
  const answer = started.kind === 'refused' ? `was answered with ${started.status}` : `made no run: ${started.reason}`;
  return { stopped: 'nothing', problem: `POST /v1/runs ${answer}` };
}

/** A part of a time-out that a run which cannot be found is given to call the tool. */
const QUIET = 0.1;

async function callsMayCome(driving: Driving): Promise<void> {
  const { probe } = driving;
  await repeatPaced(async () => callsOf(driving).length, isTooMany, {
    patienceMs: QUIET * probe.timeoutMs,
    signal: probe.signal,
  });
}

function isTooMany(calls: number): boolean {
  return calls > 1;
}

function callsOf({ visit }: Pick<Driving, 'visit'>): readonly WitnessCall[] {
  return visit.calls().filter(({ kind, name }) => kind === 'effect' && name === EFFECT);
}

async function observe(
  driving: Driving,
  { stopped, problem, life }: Left,
  { cycleMs, before }: { readonly cycleMs: number | null; readonly before: number },
): Promise<CellObservation> {
  const { lane, cuts, runId, created, deaths, exchanges, probe } = driving;
  const isUp = stopped !== 'gone' && stopped !== 'aborted';
  const decisions = isUp && runId !== null ? await decisionsOn(lane.host, runId) : null;
  const passed = isUp ? await allPassed(driving) : null;
  const armed = deaths.length === 0 ? cuts.cut : deaths.length === 1 ? cuts.second : null;
  if (isUp && armed !== null) exchanges.push(await disarm(lane.host, armed));
  // A run that is not cut is read once more: what a client is only shown live is no part of the log.
  const again = cuts.cut === null && stopped === 'ended' ? await seeLife(sightOf(driving), runId ?? '') : undefined;
  return {
    type: 'cell',
    ...cuts,
    notDriven: null,
    created,
    runId,
    deaths,
    stopped,
    problem,
    live: again === undefined ? null : rawOf(life),
    log: rawOf(again ?? life),
    snapshot: life?.snapshot ?? null,
    calls: callsOf(driving).map(asJson),
    decisions,
    passed: passed === null ? null : passed.slice(before),
    patienceMs: PATIENCE * probe.timeoutMs,
    cycleMs: cycleMs === null ? null : Math.round(cycleMs),
    exchanges,
  };
}

function rawOf(life: Life | undefined): readonly Json[] | null {
  return life?.logRead !== true ? null : life.events.map(({ raw }) => raw as Json);
}

function asJson({ name, method, idempotencyKey, body, answer }: WitnessCall): Json {
  return { name, method, idempotencyKey, body, answer };
}

/** Pauses before the list of passes is asked for again, in milliseconds. */
const GROWTH_MS = 40;

/** The passes of the host's process; a host may still pass some when the end of a run is known already. */
async function allPassed({ lane, thorough, probe }: Driving): Promise<readonly string[] | null> {
  const first = await passedSoFar(lane.host);
  if (!thorough || first === null) return first;
  let known = first.length;
  let last: readonly string[] = first;
  await repeatPaced(
    async () => {
      known = last.length;
      await pause(GROWTH_MS, probe.signal);
      last = (await passedSoFar(lane.host)) ?? last;
      return last.length;
    },
    (length) => length === known,
    { patienceMs: probe.timeoutMs, signal: probe.signal },
  );
  return last;
}
