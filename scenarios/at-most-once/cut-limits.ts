import type { CellObservation, Cuts } from './cell.ts';
import { stageOfName, windowOfStage } from './cut-names.ts';

/** Unseen ends after which cells that look the same are left out, and after which all are. */
const ENOUGH_ALIKE = 2;
const ENOUGH = 6;

/** Keeps a host whose runs hang from taking for ever: tells which cells need not be driven any more. */
export interface HungRuns {
  /** Why a cell is not to be driven; undefined where it is. */
  refuse(cuts: Cuts): string | undefined;
  note(cell: CellObservation): void;
}

/** Cells look the same whose last cut has a name that tells the same window; names that tell none look the same. */
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
