import type { RunEvent } from '../../src/host/run-event.ts';
import type { Compared } from './compare-runs.ts';

/** One side of a comparison: the run in words, and its events. */
export interface Side {
  readonly name: string;
  readonly events: readonly RunEvent[];
}

/**
 * A comparison with a note where it found a difference and a log gives one number twice: what differs then may follow
 * from that, which is a row of its own (sequence.monotonic).
 */
export function notingRepeatedNumbers(compared: Compared, sides: readonly Side[]): Compared {
  const side = compared.kind === 'different' ? sides.find(repeatsNumbers) : undefined;
  if (compared.kind !== 'different' || side === undefined) return compared;
  const note = `sequence numbers are not unique in ${side.name}: see sequence.monotonic`;
  const { reason, ...mismatch } = compared.mismatch;
  return { kind: 'different', mismatch: { ...mismatch, reason: reason === undefined ? note : `${reason}; ${note}` } };
}

function repeatsNumbers({ events }: Side): boolean {
  return new Set(events.map(({ sequence }) => sequence)).size < events.length;
}
