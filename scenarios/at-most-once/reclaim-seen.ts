import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { externalKeys } from './external-key.ts';
import { FIRST, SECOND } from './fixtures.ts';

/** A run of two tools whose host was to die between them, and what became of it. */
export interface ReclaimObservation extends Observation {
  readonly type: 'reclaim';
  /** The failpoint, as `name@hit`. */
  readonly cut: string;
  /** `trial` where no failpoint's name tells where it lies, and one was searched for; `name` where one did. */
  readonly by: 'name' | 'trial';
  readonly runId: string | null;
  /** Why the run was not seen to the end; null where it was. */
  readonly problem: string | null;
  readonly died: boolean;
  /** The log while the first tool was at work. */
  readonly before: readonly Json[];
  readonly callsAtDeath: readonly Json[];
  /** The log in the end. */
  readonly events: readonly Json[];
  readonly snapshot: Json;
  readonly calls: readonly Json[];
}

export type SeenReclaim = readonly Recorded<ReclaimObservation>[];

/** Whether the host died after the first call and before the second, and the second tool was called afterwards. */
export function isReclaimed(seen: ReclaimObservation): boolean {
  return diedBetween(seen) && externalKeys(seen, SECOND).length > 0;
}

/** Whether the host died when the first tool had been called once and the second not at all. */
export function diedBetween({ died, callsAtDeath }: ReclaimObservation): boolean {
  const calls = { calls: callsAtDeath };
  return died && externalKeys(calls, FIRST).length === 1 && externalKeys(calls, SECOND).length === 0;
}
