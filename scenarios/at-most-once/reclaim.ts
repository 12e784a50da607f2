import { advertisedFailpoints, readDiscovery } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut } from '../../src/host/crash.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createRun } from '../../src/host/runs.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { callsAfter } from '../shared/witnessed-run.ts';
import { arm, disarm, cutNeeds, passedSoFar } from './crash-seams.ts';
import { stageOfName } from './cut-names.ts';
import { FIRST, TWICE } from './fixtures.ts';
import { runIdOfCall } from './held-run.ts';
import { type Life, seeLife, type Sight } from './life.ts';
import { readNow } from './read-now.ts';
import { NOT_DEAD } from './judge-windows.ts';
import { judgeReclaimedAttempt, judgeRetriedKeys } from './reclaim-judges.ts';
import { MOST_TRIALS, searchBetween, tryEach } from './reclaim-search.ts';
import type { ReclaimObservation } from './reclaim-seen.ts';

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

async function drive(probe: Probe): Promise<readonly ReclaimObservation[]> {
  const { crash, witness } = probe;
  if (crash === undefined || witness === undefined) return [];
  const names = advertisedFailpoints(readDiscovery(probe.discovery));
  const cuts = cutsBetween(names);
  const tryCut = (by: 'name' | 'trial', cut: Cut): Promise<ReclaimObservation | undefined> =>
    crash.use(async (lane) => ({ ...(await driveCut({ probe, lane, cut, visit: witness.visit() })), by }));
  if (cuts.length > 0) return tryEach(cuts, (cut) => tryCut('name', cut));
  const passed = await crash.use((lane) => passedByRun({ probe, lane, visit: witness.visit() }));
  const byTrial = (cut: Cut): Promise<ReclaimObservation | undefined> => tryCut('trial', cut);
  if (passed !== undefined && passed.length > 0) return searchBetween(passed, byTrial);
  const seconds = names.map((name) => ({ name, hit: 2 }));
  return tryEach(seconds.slice(0, MOST_TRIALS), byTrial);
}

/** The failpoints that a run of the two tools passes, in order; undefined where the host does not tell. */
async function passedByRun({ probe, lane, visit }: Omit<Cutting, 'cut'>): Promise<readonly string[] | undefined> {
  const before = await passedSoFar(lane.host);
  if (before === null) return undefined;
  const started = await createRun(lane.host, { workflowId: TWICE, inputs: { witnessUrl: visit.url } });
  if (started.kind !== 'started') return undefined;
  await seeLife(sightOf(probe, lane, false), started.runId);
  return (await passedSoFar(lane.host))?.slice(before.length);
}

interface Cutting {
  readonly probe: Probe;
  readonly lane: CrashLane;
  readonly cut: Cut;
  readonly visit: WitnessVisit;
}

/** What is gathered while a run is driven; `problem` says where it stopped. */
type Gathered = Partial<ReclaimObservation> & { readonly exchanges: readonly string[] };

async function driveCut(cutting: Cutting): Promise<Omit<ReclaimObservation, 'by'>> {
  const { cut, visit } = cutting;
  const nothing = { runId: null, problem: null, died: false, before: [], callsAtDeath: [], events: [], snapshot: null };
  const gathered = await driveArmed(cutting);
  const { calls } = callsAfter('', visit);
  return { type: 'reclaim', cut: `${cut.name}@${cut.hit}`, ...nothing, ...gathered, calls };
}

async function driveArmed(cutting: Cutting): Promise<Gathered> {
  const { lane, cut } = cutting;
  const armed = await arm(lane.host, cut);
  if (!armed.ok) return { problem: armed.reason, exchanges: [armed.exchange] };
  const begun = await begin(cutting);
  const { runId } = begun;
  if (runId === undefined || runId === null) {
    const exchange = await disarm(lane.host, cut);
    return { ...begun, exchanges: [armed.exchange, ...begun.exchanges, exchange] };
  }
  const followed = await followThroughDeath(cutting, runId);
  return { ...begun, ...followed, exchanges: [armed.exchange, ...begun.exchanges, ...followed.exchanges] };
}

/** How long POST /v1/runs may take to name a run whose tool was called already, as a part of the time-out. */
const NAMING = 0.25;

/** Starts the run and reads its log while the first tool is held back; then the tool answers, and the host may die. */
async function begin({ probe, lane, visit }: Cutting): Promise<Gathered> {
  const hold = visit.holdEffects(FIRST.effect);
  try {
    const creating = createRun(lane.host, { workflowId: TWICE, inputs: { witnessUrl: visit.url } });
    const arrived = hold.arrived(1, { timeoutMs: probe.timeoutMs, signal: probe.signal });
    await Promise.race([arrived, creating]);
    const started = await Promise.race([creating, pause(probe.timeoutMs * NAMING, probe.signal)]);
    const exchanges = started === undefined ? [] : [started.exchange];
    const runId = started?.kind === 'started' ? started.runId : runIdOfCall(visit, FIRST.effect);
    if (runId === undefined) return { problem: 'POST /v1/runs was not answered with a run', exchanges };
    if (!(await arrived)) return { runId, exchanges };
    const log = await readNow(lane.host, runId, ({ nodeId }) => nodeId === FIRST.nodeId);
    return { runId, before: log.events?.map(rawOf) ?? [], exchanges: [...exchanges, ...log.exchanges] };
  } finally {
    hold.release();
  }
}

/** How many time-outs a run is followed for in each life of its host. */
const PATIENCE = 3;

function sightOf({ timeoutMs, signal }: Probe, { host }: CrashLane, returnsByItself: boolean): Sight {
  return { host, signal, patienceMs: PATIENCE * timeoutMs, streamMs: timeoutMs, returnsByItself };
}

async function followThroughDeath({ probe, lane, cut, visit }: Cutting, runId: string): Promise<Gathered> {
  const see = (returnsByItself: boolean): Promise<Life> => seeLife(sightOf(probe, lane, returnsByItself), runId);
  const first = await see(!lane.armsAtStart);
  const { calls: callsAtDeath } = callsAfter('', visit);
  if (first.stopped !== 'broken') {
    const exchange = await disarm(lane.host, cut);
    const problem = `${NOT_DEAD}, and the run was left ${first.stopped}`;
    return { problem, callsAtDeath, events: first.events.map(rawOf), exchanges: [...first.exchanges, exchange] };
  }
  const revival = await lane.revive();
  if (!revival.ok) return { died: true, callsAtDeath, problem: revival.reason, exchanges: first.exchanges };
  const second = await see(false);
  const isSettled = second.stopped === 'ended' || second.stopped === 'parked';
  return {
    died: true,
    callsAtDeath,
    problem: isSettled ? null : `the run was left ${second.stopped} after the host was up again`,
    events: second.events.map(rawOf),
    snapshot: second.snapshot,
    exchanges: [...first.exchanges, ...second.exchanges],
  };
}

function rawOf({ raw }: { readonly raw: unknown }): Json {
  return raw as Json;
}

/** sem §4: what a step is known by after its worker has died. */
export const reclaim = defineJudgedScenario<ReclaimObservation>({
  id: 'once.reclaim',
  suite: 'at-most-once',
  title: 'Two tools, and a death between them',
  checks: [
    {
      id: 'once.external-key.reclaim',
      requirement: 'once.external-key',
      title: 'The second tool is called with another attempt than the first, which is not called again',
    },
    {
      id: 'once.idempotency-key.retry',
      requirement: 'once.idempotency-key',
      title: 'The keys of both tools are those that they have without a death',
    },
  ],
  gate: provableSemantics,
  needs: cutNeeds(TWICE),
  exclusive: [],
  patience: () => 10 * MOST_TRIALS,
  drive,
  judge: (observations) => [judgeReclaimedAttempt(observations), judgeRetriedKeys(observations)],
});
