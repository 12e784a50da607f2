/** The five windows of provable-semantics §2, by their numbers. */
export type CrashWindow = '1' | '2' | '3' | '4' | '5';

/** What the host's stores held of a tool call when a worker came to it after the death. */
export interface FoundState {
  readonly stream: string;
  readonly ledger: string;
  readonly effect: boolean;
}

/** One cut, or one pair of cuts, that a host was put through. */
export interface CrashCell {
  /** `name@hit` */
  readonly cut: string;
  /** The crash during recovery, `name@hit`; null for a single cut. */
  readonly second: string | null;
  readonly window: CrashWindow | null;
  /** Calls that the tool's side got, over all lives of the host; null where nobody could count. */
  readonly calls: number | null;
  readonly found: FoundState | null;
  readonly outcome: 'completed' | 'failed' | 'parked' | 'not reached' | 'unknown';
  /** From the start of the run to its end, deaths and recoveries included. */
  readonly cycleMs: number | null;
}

/** What a host did at every cut that it was put through, as the report carries it. */
export interface CrashMatrix {
  /** The failpoints in the order in which a run passes them, then those that none passed. */
  readonly points: readonly string[];
  readonly cells: readonly CrashCell[];
  readonly figures: {
    readonly cuts: number;
    readonly pairs: number;
    readonly duplicateCalls: number;
    readonly lostEvents: number;
    readonly medianCycleMs: number | null;
  };
}
