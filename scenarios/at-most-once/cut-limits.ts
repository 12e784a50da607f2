import { locate, member } from '../../src/contract/discovery.ts';
import type { Witness } from '../../src/evidence/witness.ts';
import type { CrashLane } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { CellObservation, Cuts } from './cell.ts';
import { driveCell, undriven } from './cut-cell.ts';
import { stageOfName, windowOfStage } from './failpoint-names.ts';

export const STOPPED = 'the scenario was stopped before';

/** What a cell is driven on, how thoroughly its passes are asked for, and a witness of its own where it has one. */
interface On {
  readonly lane: CrashLane;
  readonly thorough: boolean;
  readonly witness?: Witness;
}

/** Drives cells; none any more once the scenario was stopped, or too many runs were not seen to end. */
export function createCells(probe: Probe): (cuts: Cuts, on: On) => Promise<CellObservation> {
  const hung = createHungRuns();
  const idempotent = advertisesIdempotency(probe.discovery);
  return async (cuts, { lane, thorough, witness = probe.witness }) => {
    const refused = probe.signal.aborted ? STOPPED : hung.refuse(cuts);
    if (refused !== undefined) return undriven(cuts, refused);
    const cell = await driveCell({ probe: { ...probe, witness }, lane, idempotent, thorough }, cuts);
    hung.note(cell);
    return cell;
  };
}

/** Whether a request under one Idempotency-Key may be sent again (discovery document, `idempotency`). */
function advertisesIdempotency(document: unknown): boolean {
  const block = locate(document, ['idempotency'])?.value;
  const layer1 = member(block, 'layer1');
  if (layer1 === undefined) return member(block, 'supported') === true;
  return layer1 === true || member(layer1, 'supported') === true;
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
  const counts = new Map<string, number>();
  let all = 0;
  return {
    refuse: (cuts) => {
      if (all >= ENOUGH) return `${all} runs before it were not seen to end`;
      const alike = counts.get(likeness(cuts)) ?? 0;
      return alike >= ENOUGH_ALIKE ? `${alike} runs like it were not seen to end` : undefined;
    },
    note: (cell) => {
      if (cell.notDriven !== null || cell.stopped !== 'patience') return;
      const like = likeness(cell);
      counts.set(like, (counts.get(like) ?? 0) + 1);
      all += 1;
    },
  };
}

function likeness({ cut, second }: Cuts): string {
  const stage = stageOfName((second ?? cut)?.name ?? '');
  return `${second === null ? 'single' : 'pair'} ${stage === undefined ? '' : windowOfStage(stage)}`;
}
