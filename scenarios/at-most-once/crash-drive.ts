import { advertisedFailpoints, readDiscovery } from '../../src/contract/discovery.ts';
import type { CrashBench, CrashLane } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import {
  inOrderOf,
  keyOf,
  plannedCells,
  type CellObservation,
  type CrashObservation,
  type Cuts,
  type PointsObservation,
} from './cell.ts';
import { undriven } from './cut-cell.ts';
import { createCells, STOPPED } from './cut-limits.ts';
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
  const driveOne = createCells(probe);
  const matrix: Matrix = {
    bench,
    advertised: advertisedFailpoints(readDiscovery(probe.discovery)),
    drive: async (lane, cuts) => {
      const cell = await driveOne(cuts, { lane, thorough: bench.cuts === 'full' || cuts.cut === null });
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
  const { cells, ...found } = passed === null ? await tryPasses(matrix) : await drivePasses(matrix, passed);
  const inOrder = inOrderOf(plannedCells({ planned: found.planned, pairs: [] }), cells);
  const { pairs, thereAre } = plannedPairs(inOrder, { advertised, armsAtStart, cuts });
  await bench.each(pairs, async (lane, pair) => void (await matrix.drive(lane, pair)));
  return { ...common, ...found, pairs, pairsThereAre: thereAre, by: passed === null ? 'trial' : 'passed', problem };
}

function problemOf({ notDriven, stopped, problem }: CellObservation): string | null {
  if (notDriven !== null) return notDriven;
  return stopped === 'ended' ? null : (problem ?? 'the run that was not cut did not end');
}

interface Singles extends Pick<PointsObservation, 'planned' | 'capped' | 'notPassed'> {
  readonly cells: readonly CellObservation[];
}

async function drivePasses({ bench, advertised, drive }: Matrix, passed: readonly string[]): Promise<Singles> {
  const planned = plannedCuts(passed, bench.cuts);
  const cells: CellObservation[] = [];
  await bench.each(planned, async (lane, cut) => void cells.push(await drive(lane, { cut, second: null })));
  return { planned, capped: [], notPassed: advertised.filter((name) => !passed.includes(name)), cells };
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
  const unpassed = cells.filter((cell) => !isOfUse(cell)).flatMap(({ cut }) => (cut?.hit === 1 ? cut.name : []));
  return { planned, capped, notPassed: advertised.filter((name) => unpassed.includes(name)), cells };
}

/** Every cell of a search but its last, which found that there is no such pass. */
function isOfUse({ deaths, notDriven, stopped }: CellObservation): boolean {
  return deaths.length > 0 || notDriven !== null || stopped !== 'ended';
}
