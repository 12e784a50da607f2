import type { Json, Observation } from '../../src/evidence/types.ts';
import { cutText, type Cut, type CutSet, type Revival } from '../../src/host/crash.ts';

/** Which cuts a run is put through: none, one, or a second one while the host recovers from the first. */
export interface Cuts {
  readonly cut: Cut | null;
  readonly second: Cut | null;
}

/** Two deaths of one run: the second while the host recovers from the first. */
export interface Pair extends Cuts {
  readonly cut: Cut;
  readonly second: Cut;
}

/** Which cuts there are, and how they were found. */
export interface PointsObservation extends Observation {
  readonly type: 'points';
  readonly cuts: CutSet;
  /** The failpoints that the discovery document names. */
  readonly advertised: readonly string[];
  /** `passed`: read from a run that was not cut; `trial`: by arming one pass after the other until none is left. */
  readonly by: 'passed' | 'trial';
  /** Every pass of a failpoint, in the order of the run where it is known. Each has its cell. */
  readonly planned: readonly Cut[];
  /** Advertised, and passed by no run. */
  readonly notPassed: readonly string[];
  /** Failpoints that may be passed more often than was tried. */
  readonly capped: readonly string[];
  /** The pairs that are driven; each has its cell. */
  readonly pairs: readonly Pair[];
  /** How many pairs there are altogether. */
  readonly pairsThereAre: number;
  /** Whether a failpoint could be armed for a start, which pairs need. */
  readonly armsAtStart: boolean;
  /** Why the points could not be found; null where they were. */
  readonly problem: string | null;
}

/** One death of the host. */
export interface Death {
  /** What the client was shown in the life that ended, as the host sent it. */
  readonly shown: readonly Json[];
  /** Calls of the tool by then, over all lives. */
  readonly calls: number;
  /** What it was known by, such as `refused`. */
  readonly how: string;
  readonly revival: Revival;
}

/**
 * How a run was left: at its end, waiting for somebody, because the patience was over, unknown to the host (404), because
 * the host did not come back, because the scenario was stopped, or never found.
 */
export type Stopped = 'ended' | 'parked' | 'patience' | 'missing' | 'gone' | 'aborted' | 'nothing';

/** One run of the matrix: cut once, twice or (`cut` null) not at all. Facts only. */
export interface CellObservation extends Observation, Cuts {
  readonly type: 'cell';
  /** Why the cell was not driven; null where it was. */
  readonly notDriven: string | null;
  /** `lost`: the answer to the request was lost with the host, and the run could not be found again. */
  readonly created: 'answered' | 'asked again' | 'lost' | 'refused' | null;
  readonly runId: string | null;
  readonly deaths: readonly Death[];
  readonly stopped: Stopped;
  /** More about how it was left, in words. */
  readonly problem: string | null;
  /** What the client was shown while the run went on; of a run that is not cut, whose log is read once more. */
  readonly live: readonly Json[] | null;
  /** The whole log, as the host sent it, if empty; null where it could not be read. */
  readonly log: readonly Json[] | null;
  readonly snapshot: Json;
  /** The calls that the witness had of this run, in their order. */
  readonly calls: readonly Json[];
  /** How often the tool was called by a replay of the run; absent where none was driven. */
  readonly calledInReplay?: number;
  /** What the seam `invocations` reports of the host's last life; null where there is none. */
  readonly decisions: readonly Json[] | null;
  /** The failpoints passed in the host's last life (for a run that is not cut: during the run); null where it does not tell all. */
  readonly passed: readonly string[] | null;
  /** Milliseconds that the run was followed for, at most. */
  readonly patienceMs: number;
  /** How long the leases of the host's workers last, in milliseconds; null where that is not known. */
  readonly leaseMs?: number | null;
  /** From the request to the end, deaths and recoveries included; null where the end was not seen. */
  readonly cycleMs: number | null;
}

export type CrashObservation = PointsObservation | CellObservation;

/** The control of the others, in words. */
export const UNCUT = 'run that is not cut';

/** What is said of cuts that were armed in vain. */
export const NOT_DEAD =
  'armed, and the host was not seen to die: hit counts from the arming on, not from the start of the process';

/** The cuts of a cell, in their order: each is to kill the host. */
export function cutsOf({ cut, second }: Cuts): readonly Cut[] {
  return [cut, second].filter((each) => each !== null);
}

/** A cell in words, such as `after-put-effect@1, then before-append-finished@1`. */
export function cellText({ cut, second }: Cuts): string {
  if (cut === null) return 'the run that was not cut';
  return second === null ? cutText(cut) : `${cutText(cut)}, then ${cutText(second)}`;
}

/** A cell's key: no other cell of the matrix has it. */
export function keyOf({ cut, second }: Cuts): string {
  return JSON.stringify([cut, second].map((each) => each && [each.name, each.hit]));
}

/** Every cell that a plan asks for, in its order: the single cuts, then the pairs. */
export function plannedCells({ planned, pairs }: Pick<PointsObservation, 'planned' | 'pairs'>): readonly Cuts[] {
  return [...planned.map((cut) => ({ cut, second: null })), ...pairs];
}

/** Cells in the order in which they were planned: the run that was not cut first, what no plan asks for last. */
export function inOrderOf<C extends Cuts>(planned: readonly Cuts[], cells: readonly C[]): readonly C[] {
  const order = new Map(planned.map((cuts, index) => [keyOf(cuts), index]));
  const rank = (cuts: Cuts): number => (cuts.cut === null ? -1 : (order.get(keyOf(cuts)) ?? order.size));
  return cells.toSorted((a, b) => rank(a) - rank(b));
}
