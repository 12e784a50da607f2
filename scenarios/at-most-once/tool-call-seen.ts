import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { runOf, runsOf, type SeenRun } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { type CallsObservation, callsOf } from '../shared/witnessed-run.ts';

/** The role of the run whose tool is not answered at once. */
export const HELD = 'held run';

/** The arguments that a run's tool was called with. */
export interface ArgsObservation extends Observation {
  readonly type: 'args';
  /** The role of the run. */
  readonly of: string;
  /** JSON text as it was sent; null where the run has no such input. */
  readonly request: string | null;
}

/** What the host's extension block says of keys. */
export interface AdvertisedObservation extends Observation {
  readonly type: 'advertised';
  /** The formula of the idempotency key; null where none is named. */
  readonly idempotencyKey: string | null;
}

/** A run's log while its tool was at work. */
export interface HeldObservation extends Observation {
  readonly type: 'held';
  /** Why it could not be read; null where it was. */
  readonly problem: string | null;
  readonly events: readonly Json[];
}

export type ToolCallObservation =
  | RunObservation
  | CallsObservation
  | ArgsObservation
  | AdvertisedObservation
  | HeldObservation;

/** A run and the arguments of its tool. */
export interface ArguedRun {
  readonly run: SeenRun;
  readonly args: Recorded<ArgsObservation> | undefined;
}

/** What the checks of tool calls judge. */
export interface SeenToolCall {
  /** Every run, the held one first. */
  readonly runs: readonly ArguedRun[];
  readonly held: {
    readonly run: SeenRun | undefined;
    readonly log: Recorded<HeldObservation> | undefined;
    readonly calls: Recorded<CallsObservation> | undefined;
  };
  readonly advertised: Recorded<AdvertisedObservation> | undefined;
}

/** Brings together what was recorded of each run. */
export function seeToolCall(recorded: readonly Recorded<ToolCallObservation>[]): SeenToolCall {
  const args = recorded.filter((each) => each.type === 'args');
  return {
    runs: runsOf(recorded).map((run) => ({ run, args: args.find(({ of }) => of === run.role) })),
    held: {
      run: runOf(recorded, HELD),
      log: recorded.find((each) => each.type === 'held'),
      calls: callsOf(recorded, HELD),
    },
    advertised: recorded.find((each) => each.type === 'advertised'),
  };
}
