import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { RunObservation } from './run-observation.ts';

/**
 * A member of a snapshot of a run without what differs between two readings of it with no fork in between, such as a count of
 * readings: it says nothing of forks. `again` is the run as it was read twice.
 */
export function steadily(snapshot: unknown, name: string, again: RunObservation): unknown {
  const value = member(snapshot, name) ?? null;
  if ((again.snapshotAgain ?? null) === null) return value;
  const [one, two] = [member(again.snapshot, name) ?? null, member(again.snapshotAgain, name) ?? null];
  if (isDeepStrictEqual(one, two)) return value;
  if (!isRecord(value) || !isRecord(one) || !isRecord(two)) return null;
  return Object.fromEntries(Object.entries(value).filter(([key]) => isDeepStrictEqual(one[key], two[key])));
}
