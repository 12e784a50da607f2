import type { Json, Observation } from '../../src/evidence/types.ts';

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
