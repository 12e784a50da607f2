import type { RunEvent } from '../../src/host/run-event.ts';
import type { Compared } from './compared.ts';
import { FOUNDATIONS } from './foundations.ts';

/** One side of a comparison: the run in words, and its events. */
export interface Side {
  readonly name: string;
  readonly events: readonly RunEvent[];
}

/**
 * A comparison with a note where it found a difference and a log repeats a number or goes back: what differs then may
 * follow from that, which is a row of its own (sequence.monotonic).
 */
export function notingDisorder(compared: Compared, sides: readonly Side[]): Compared {
  const side = compared.kind === 'different' ? sides.find(isDisordered) : undefined;
  if (compared.kind !== 'different' || side === undefined) return compared;
  const note = `sequence numbers are not unique and increasing in ${side.name}: see ${FOUNDATIONS.numbers}`;
  const { reason, ...mismatch } = compared.mismatch;
  const noted = reason === undefined ? note : `${reason}; ${note}`;
  return { kind: 'different', mismatch: { ...mismatch, reason: noted } };
}

/** Whether a number of a log repeats or goes back. */
export function isDisordered({ events }: Pick<Side, 'events'>): boolean {
  return events.some(({ sequence }, at) => sequence <= (events[at - 1]?.sequence ?? -Infinity));
}
