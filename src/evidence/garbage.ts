import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MB = 1_000_000;
/** Heap that is in use before large values are looked through, and what may come on top of it, before garbage is collected. */
const GROWTH = 20 * MB;

let collect: (() => void) | undefined;
let settled = 0;

/**
 * Collects garbage where much has come up since the last time. The engine itself waits far longer where the machine has
 * memory enough; called wherever a large value is made, this keeps the process below its bound.
 */
export function collectLargeGarbage(): void {
  const used = lasting();
  settled = Math.min(settled === 0 ? Infinity : settled, used);
  if (used < settled + GROWTH) return;
  collect ??= collector();
  collect();
  settled = lasting();
}

/** Bytes in use, without those of the newest values: the engine collects these by itself, within the room that it gives them. */
function lasting(): number {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  const newest = getHeapSpaceStatistics().filter(({ space_name }) => space_name.startsWith('new_'));
  return heap + buffers - newest.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

/** Where there is so much to collect, the engine is also told to let garbage grow to half of what is in use, not to four times as much. */
function collector(): () => void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  return typeof found === 'function' ? () => void Reflect.apply(found, undefined, []) : () => undefined;
}
