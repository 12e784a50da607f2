import {
  advertisedFailpoints,
  advertisedLease,
  advertisesIdempotency,
  readPart,
} from '../../src/contract/discovery.ts';
import type { Witness, WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashBench, CrashLane } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { offersMode, startFork } from '../shared/run-observation.ts';
import {
  type CellObservation,
  type CrashObservation,
  type Cuts,
  inOrderOf,
  keyOf,
  plannedCells,
  type PointsObservation,
} from './cell.ts';
import { type Cutting, driveCell, undriven } from './cut-cell.ts';
import { plannedCuts, plannedPairs } from './cut-plan.ts';
import { stageOfName, windowOfStage } from './failpoint-names.ts';
import { KEPT_ARGS, ONCE } from './fixtures.ts';
import { prepared } from './prepared-cells.ts';

const STOPPED = 'the scenario was stopped before';

/** What a cell is driven on and with, and a witness of its own where it has one. */
interface On extends Pick<Cutting, 'lane' | 'thorough' | 'run'> {
  readonly witness?: Witness | undefined;
}

/** Replays a run that has ended; the exchanges of that, undefined where it was not done. */
export async function replayedIn(probe: Probe, cell: CellObservation, workflowId = ONCE): Promise<Exchanges> {
  if (cell.stopped !== 'ended' || !offersMode(probe.discovery, 'replay')) return undefined;
  const source = { runId: cell.runId, workflowId, problem: null, exchanges: cell.exchanges };
  const { runId, exchanges } = await startFork(probe, source, { mode: 'replay' }, { role: 'replay' });
  return runId === null ? undefined : exchanges;
}

type Exchanges = readonly string[] | undefined;

/** Drives cells; none any more once the scenario was stopped, or too many runs were not seen to end. */
export function createCells(probe: Probe): (cuts: Cuts, on: On) => Promise<CellObservation> {
  const hung = createHungRuns();
  const { discovery } = probe;
  const idempotent = advertisesIdempotency(discovery);
  const leaseMs = advertisedLease(readPart(discovery, 'provable'));
  return async (cuts, { witness = probe.witness, ...on }) => {
    const refused = probe.signal.aborted ? STOPPED : hung.refuse(cuts);
    if (refused !== undefined) return undriven(cuts, refused);
    const cell = await driveCell({ probe: { ...probe, witness }, idempotent, leaseMs, ...on }, cuts);
    hung.note(cell);
    return cell;
  };
}

/** Unseen ends after which cells that look the same are left out, and after which all are. */
const ENOUGH_ALIKE = 2;
const ENOUGH = 6;

/** Keeps a host whose runs hang from taking for ever: says which cells need not be driven any more. */
interface HungRuns {
  /** Why a cell is not to be driven; undefined where it is. */
  refuse(cuts: Cuts): string | undefined;
  note(cell: CellObservation): void;
}

/** Cells look the same whose last cut lies, by its name, in the same window; names that say nothing look the same. */
export function createHungRuns(): HungRuns {
  const hung: string[] = [];
  return {
    refuse: (cuts) => {
      if (hung.length >= ENOUGH) return `${hung.length} runs before it were not seen to end`;
      const alike = hung.filter((each) => each === likeness(cuts)).length;
      return alike >= ENOUGH_ALIKE ? `${alike} runs like it were not seen to end` : undefined;
    },
    note: (cell) => {
      if (cell.notDriven === null && cell.stopped === 'patience') hung.push(likeness(cell));
    },
  };
}

function likeness({ cut, second }: Cuts): string {
  const stage = stageOfName((second ?? cut)?.name ?? '');
  return `${second === null ? 'single' : 'pair'} ${stage === undefined ? '' : windowOfStage(stage)}`;
}

/** Passes of one failpoint that are tried where a host does not tell how often it passes it. */
const TRIALS = { few: 1, quick: 4, full: 16 } as const;

interface Matrix {
  readonly bench: CrashBench;
  readonly advertised: readonly string[];
  /** The cells that were driven so far. */
  readonly cells: readonly CellObservation[];
  /** Drives one cell on a lane and keeps what was seen. */
  readonly drive: (lane: CrashLane, cuts: Cuts) => Promise<CellObservation>;
}

/**
 * Drives the crash matrix: a run that is not cut, one run for each pass of a failpoint, one for each pair. Every planned cell is
 * recorded, with the reason where it was not driven.
 */
export async function driveMatrix(probe: Probe): Promise<readonly CrashObservation[]> {
  const { crash: bench } = probe;
  if (bench === undefined) return [];
  const cells: CellObservation[] = [];
  const driveOne = createCells(probe);
  const matrix: Matrix = {
    bench,
    advertised: advertisedFailpoints(readPart(probe.discovery, 'provable')),
    cells,
    drive: async (lane, cuts) => {
      const thorough = bench.cuts === 'full' || cuts.cut === null;
      const run = { inputs: { toolArgs: KEPT_ARGS } };
      const cell = await driveReplayed(probe, lane, (witness) => driveOne(cuts, { lane, witness, thorough, run }));
      cells.push(cell);
      return cell;
    },
  };
  const points = await driveAll(matrix);
  const wanted = plannedCells(points);
  const known = new Set(cells.map(keyOf));
  const missing = wanted.filter((cuts) => !known.has(keyOf(cuts))).map((cuts) => undriven(cuts, STOPPED));
  return [points, ...inOrderOf(wanted, [...cells, ...missing])];
}

/** Drives a cell, and a replay of its run where its host died once behind the first call: what is recorded was so before a death. */
async function driveReplayed(
  probe: Probe,
  { host }: CrashLane,
  driveOne: (witness: Witness | undefined) => Promise<CellObservation>,
): Promise<CellObservation> {
  const visits: WitnessVisit[] = [];
  const { witness } = probe;
  const cell = await driveOne(witness && prepared(witness, (visit) => void visits.push(visit)));
  const [death, another] = cell.deaths;
  if (cell.cut?.hit !== 1 || death?.calls !== 1 || another !== undefined) return cell;
  const exchanges = await replayedIn({ ...probe, host }, cell);
  if (exchanges === undefined) return cell;
  const made = visits.flatMap((visit) => visit.calls()).filter(({ kind }) => kind === 'effect').length;
  return { ...cell, calledInReplay: made - cell.calls.length, exchanges: [...cell.exchanges, ...exchanges] };
}

async function driveAll(matrix: Matrix): Promise<PointsObservation> {
  const { bench, advertised } = matrix;
  const { cuts } = bench;
  const uncut = await bench.use(async (lane) => ({
    cell: await matrix.drive(lane, { cut: null, second: null }),
    armsAtStart: lane.armsAtStart,
  }));
  const armsAtStart = uncut?.armsAtStart ?? false;
  const none = { planned: [], notPassed: [], capped: [], pairs: [], pairsThereAre: 0 };
  const common = { type: 'points', cuts, advertised, armsAtStart, exchanges: [] } as const;
  const problem = uncut === undefined ? STOPPED : problemOf(uncut.cell);
  if (uncut === undefined || problem !== null) return { ...common, ...none, by: 'trial', problem };
  const { passed } = uncut.cell;
  const found = passed === null ? await tryPasses(matrix) : await drivePasses(matrix, passed);
  const inOrder = inOrderOf(plannedCells({ planned: found.planned, pairs: [] }), matrix.cells);
  const { pairs, thereAre } = plannedPairs(inOrder, { advertised, armsAtStart, cuts });
  await bench.each(pairs, async (lane, pair) => void (await matrix.drive(lane, pair)));
  return { ...common, ...found, pairs, pairsThereAre: thereAre, by: passed === null ? 'trial' : 'passed', problem };
}

function problemOf({ notDriven, stopped, problem }: CellObservation): string | null {
  if (notDriven !== null) return notDriven;
  return stopped === 'ended' ? null : (problem ?? 'the run that was not cut did not end');
}

type Singles = Pick<PointsObservation, 'planned' | 'capped' | 'notPassed'>;

async function drivePasses({ bench, advertised, drive }: Matrix, passed: readonly string[]): Promise<Singles> {
  const planned = plannedCuts(passed, bench.cuts);
  await bench.each(planned, async (lane, cut) => void (await drive(lane, { cut, second: null })));
  return { planned, capped: [], notPassed: advertised.filter((name) => !passed.includes(name)) };
}

/** Arms the first pass of each failpoint, then the second, and so on, until a run ends without a death. */
async function tryPasses({ bench, advertised, drive, cells }: Matrix): Promise<Singles> {
  const capped: string[] = [];
  await bench.each(advertised, async (lane, name) => {
    for (let hit = 1; hit <= TRIALS[bench.cuts]; hit += 1) {
      const { deaths } = await drive(lane, { cut: { name, hit }, second: null });
      if (deaths.length === 0) return;
    }
    capped.push(name);
  });
  const planned = cells.filter(isOfUse).flatMap(({ cut }) => cut ?? []);
  const unpassed = cells.filter((cell) => !isOfUse(cell)).flatMap(({ cut }) => (cut?.hit === 1 ? cut.name : []));
  return { planned, capped, notPassed: advertised.filter((name) => unpassed.includes(name)) };
}

/** Every cell of a search but its last, which found that there is no such pass. */
function isOfUse({ deaths, notDriven, stopped }: CellObservation): boolean {
  return deaths.length > 0 || notDriven !== null || stopped !== 'ended';
}
