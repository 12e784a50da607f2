import { advertisedFailpoints, locate, member, readDiscovery } from '../../src/contract/discovery.ts';
import type { CrashBench, CrashLane, Cut } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { keyOf, type CellObservation, type CrashObservation, type Cuts, type PointsObservation } from './cell.ts';
import { driveCell, undriven } from './cut-cell.ts';
import { createHungRuns } from './cut-limits.ts';
import { plannedCuts, plannedPairs } from './cut-plan.ts';

/** Passes of one failpoint that are tried where a host does not tell how often it passes it. */
const TRIALS = { few: 1, quick: 4, full: 16 } as const;

interface Matrix {
  readonly bench: CrashBench;
  readonly advertised: readonly string[];
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
  const hung = createHungRuns();
  const idempotent = advertisesIdempotency(probe.discovery);
  const matrix: Matrix = {
    bench,
    advertised: advertisedFailpoints(readDiscovery(probe.discovery)),
    drive: async (lane, cuts) => {
      const refused = probe.signal.aborted ? STOPPED : hung.refuse(cuts);
      const cell =
        refused === undefined
          ? await driveCell({ probe, lane, idempotent, thorough: isThorough(bench, cuts) }, cuts)
          : undriven(cuts, refused);
      hung.note(cell);
      cells.push(cell);
      return cell;
    },
  };
  const points = await driveAll(matrix);
  return [points, ...inOrder(points, cells)];
}

const STOPPED = 'the scenario was stopped before';

function isThorough({ cuts }: CrashBench, { cut }: Cuts): boolean {
  return cuts === 'full' || cut === null;
}

async function driveAll(matrix: Matrix): Promise<PointsObservation> {
  const { bench, advertised } = matrix;
  const uncut = await bench.use(async (lane) => ({
    cell: await matrix.drive(lane, { cut: null, second: null }),
    armsAtStart: lane.armsAtStart,
  }));
  const armsAtStart = uncut?.armsAtStart ?? false;
  const none = { planned: [], notPassed: [], capped: [], pairs: [], pairsThereAre: 0 };
  const common = { type: 'points', cuts: bench.cuts, advertised, armsAtStart, exchanges: [] } as const;
  const problem = uncut === undefined ? STOPPED : problemOf(uncut.cell);
  if (uncut === undefined || problem !== null) return { ...common, ...none, by: 'trial', problem };
  const { passed } = uncut.cell;
  const singles = passed === null ? await tryPasses(matrix) : await drivePasses(matrix, passed);
  const { pairs, thereAre } = plannedPairs(singles.cells, { advertised, armsAtStart, cuts: bench.cuts });
  await bench.each(pairs, async (lane, pair) => void (await matrix.drive(lane, pair)));
  const { planned, capped, notPassed } = singles;
  const found = { planned, capped, notPassed, pairs, pairsThereAre: thereAre };
  return { ...common, ...found, by: passed === null ? 'trial' : 'passed', problem: null };
}

function problemOf({ notDriven, stopped, problem }: CellObservation): string | null {
  if (notDriven !== null) return notDriven;
  return stopped === 'ended' ? null : (problem ?? 'the run that was not cut did not end');
}

interface Singles extends Pick<PointsObservation, 'planned' | 'capped' | 'notPassed'> {
  readonly cells: readonly CellObservation[];
}

async function drivePasses(matrix: Matrix, passed: readonly string[]): Promise<Singles> {
  const planned = plannedCuts(passed, matrix.bench.cuts);
  const cells: CellObservation[] = [];
  await matrix.bench.each(planned, async (lane, cut) => {
    cells.push(await matrix.drive(lane, { cut, second: null }));
  });
  const order = new Map(planned.map((cut, index) => [cutKey(cut), index]));
  return {
    planned,
    capped: [],
    notPassed: matrix.advertised.filter((name) => !passed.includes(name)),
    cells: cells.toSorted((a, b) => placeOf(order, a) - placeOf(order, b)),
  };
}

/** Arms the first pass of each failpoint, then the second, and so on, until a run ends without a death. */
async function tryPasses({ bench, advertised, drive }: Matrix): Promise<Singles> {
  const cells: CellObservation[] = [];
  const capped: string[] = [];
  await bench.each(advertised, async (lane, name) => {
    for (let hit = 1; hit <= TRIALS[bench.cuts]; hit += 1) {
      const cell = await drive(lane, { cut: { name, hit }, second: null });
      cells.push(cell);
      if (cell.deaths.length === 0) return;
    }
    capped.push(name);
  });
  const planned = cells.filter(isOfUse).flatMap(({ cut }) => cut ?? []);
  const notPassed = advertised.filter((name) => cells.some((cell) => isNotPassed(cell, name)));
  return { planned, capped, notPassed, cells };
}

/** Every cell of a search but its last, which found that there is no such pass. */
function isOfUse({ deaths, notDriven, stopped }: CellObservation): boolean {
  return deaths.length > 0 || notDriven !== null || stopped !== 'ended';
}

function isNotPassed(cell: CellObservation, name: string): boolean {
  return cell.cut?.name === name && cell.cut.hit === 1 && !isOfUse(cell);
}

/** The cells in the order in which they were planned, those that nobody came to among them. */
function inOrder(points: PointsObservation, cells: readonly CellObservation[]): readonly CellObservation[] {
  const wanted: readonly Cuts[] = [...points.planned.map((cut) => ({ cut, second: null })), ...points.pairs];
  const order = new Map(wanted.map((cuts, index) => [keyOf(cuts), index]));
  const missing = wanted.filter((cuts) => !cells.some((cell) => keyOf(cell) === keyOf(cuts)));
  return [...cells, ...missing.map((cuts) => undriven(cuts, STOPPED))].toSorted(
    (a, b) => rankOf(order, a) - rankOf(order, b),
  );
}

function rankOf(order: ReadonlyMap<string, number>, cell: CellObservation): number {
  return cell.cut === null ? -1 : (order.get(keyOf(cell)) ?? order.size);
}

function placeOf(order: ReadonlyMap<string, number>, { cut }: CellObservation): number {
  return cut === null ? -1 : (order.get(cutKey(cut)) ?? order.size);
}

function cutKey({ name, hit }: Cut): string {
  return JSON.stringify([name, hit]);
}

/** Whether a request under one Idempotency-Key may be sent again (discovery document, `idempotency`). */
export function advertisesIdempotency(document: unknown): boolean {
  const block = locate(document, ['idempotency'])?.value;
  const layer1 = member(block, 'layer1');
  if (layer1 === undefined) return member(block, 'supported') === true;
  return layer1 === true || member(layer1, 'supported') === true;
}
