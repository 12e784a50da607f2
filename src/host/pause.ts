import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many milliseconds between two requests, or until the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // The scenario was stopped: whoever waits looks at the signal.
  }
}
