import type { RunEvent } from '../../src/host/run-event.ts';
import { isAboutReplay } from '../shared/compare-runs.ts';

/**
 * How many of a fork's events stand for what its source shows below the fork point, where some may be missing or too many: all but as
 * many as the source shows from there on where these are the same; else those that are most like what is below.
 */
export function lengthOfHistory(
  below: readonly RunEvent[],
  above: readonly RunEvent[],
  fork: readonly RunEvent[],
): number {
  const places = fork.flatMap((event, at) => (isAboutReplay(event) ? [] : [at]));
  const inherited = below.filter((event) => !isAboutReplay(event));
  const executed = above.filter((event) => !isAboutReplay(event));
  const start = places.length - executed.length;
  const [first] = executed;
  // One more of the kind of the first executed event may be an event too many there, instead of one of the history.
  const isTwice = first !== undefined && isAlike(first, fork[places[start - 1] ?? -1]);
  const isSame =
    start >= 0 && !isTwice && executed.every((event, index) => isAlike(event, fork[places[start + index] ?? -1]));
  const length = isSame ? start : mostAlike(inherited, fork, places);
  return length === 0 ? 0 : (places[length - 1] ?? -1) + 1;
}

function isAlike(event: RunEvent, other: RunEvent | undefined): boolean {
  return event.type === other?.type && event.nodeId === other.nodeId;
}

/** After how many events most types are those below, and fewest are not; as near as it can be to as many as are there. */
function mostAlike(below: readonly RunEvent[], fork: readonly RunEvent[], places: readonly number[]): number {
  const left = new Map<string, number>();
  for (const { type } of below) left.set(type, (left.get(type) ?? 0) + 1);
  let best = { length: 0, likeness: 0 };
  let likeness = 0;
  for (const [index, at] of places.entries()) {
    const type = fork[at]?.type ?? '';
    const rest = left.get(type) ?? 0;
    left.set(type, rest - 1);
    likeness += rest > 0 ? 1 : -1;
    const length = index + 1;
    const isNearer = Math.abs(length - below.length) < Math.abs(best.length - below.length);
    if (likeness > best.likeness || (likeness === best.likeness && isNearer)) best = { length, likeness };
  }
  return best.length;
}
