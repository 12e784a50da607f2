import { pause } from './pause.ts';
import type { Probe } from './probe.ts';

/** Pauses between two attempts, in milliseconds: short ones at first, the last repeats. */
const PACE = [20, 50, 100, 200, 500, 500, 500, 500, 1000];

/** Pauses before the next attempt, the longer the more there were. */
export function pauseAfter(turn: number, signal: AbortSignal): Promise<void> {
  return pause(PACE[Math.min(turn, PACE.length - 1)] ?? 0, signal);
}

/** Attempts that are made however long the first ones took, where there is any patience: a busy machine may stand still between two. */
const AT_LEAST = 3;

/**
 * Repeats an attempt until it gives what is waited for; returns what the last one gave. Stops after an attempt that began behind
 * `patienceMs`, the third one at the earliest, or when the scenario is stopped: what a busy machine shows late was asked for early. The
 * first attempt is made at once.
 */
export async function repeatPaced<T>(
  attempt: () => Promise<T>,
  isEnough: (result: T) => boolean,
  { patienceMs, signal }: { readonly patienceMs: number } & Pick<Probe, 'signal'>,
): Promise<T> {
  let begun = Date.now();
  const deadline = begun + patienceMs;
  let result = await attempt();
  const isTime = (turn: number): boolean => begun < deadline || (patienceMs > 0 && turn + 1 < AT_LEAST);
  for (let turn = 0; !isEnough(result) && !signal.aborted && isTime(turn); turn += 1) {
    await pauseAfter(turn, signal);
    if (signal.aborted) break;
    begun = Date.now();
    result = await attempt();
  }
  return result;
}
