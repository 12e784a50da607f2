/** Those who wait until something is written about a run. */
export interface Wakers {
  /** Resolves when the run is written about, or perhaps was, and as soon as the signal aborts; leaves nothing behind either way. */
  wait(runId: string, signal: AbortSignal): Promise<void>;
  wake(runId: string): void;
  wakeAll(): void;
}

/** How often another process's writes are looked for while somebody waits, in milliseconds. */
const LOOK_MS = 20;

/**
 * Wakers of one process. `foreign` tells whether another process has written since it was asked before: everybody who waits
 * is woken then, and looks for himself.
 */
export function createWakers(foreign?: () => boolean): Wakers {
  const waiting = new Map<string, Set<() => void>>();
  let looking: NodeJS.Timeout | undefined;
  const wakeAll = (): void => {
    for (const wakers of waiting.values()) for (const wake of wakers) wake();
  };
  const look = (): void => {
    if (isForeign(foreign)) wakeAll();
  };
  const settle = (): void => {
    if (waiting.size > 0) {
      looking ??= foreign === undefined ? undefined : setInterval(look, LOOK_MS).unref();
    } else {
      clearInterval(looking);
      looking = undefined;
    }
  };
  return {
    wait(runId, signal) {
      if (signal.aborted) return Promise.resolve();
      const wakers = waiting.get(runId) ?? new Set();
      waiting.set(runId, wakers);
      return new Promise((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          wakers.delete(wake);
          if (wakers.size === 0 && waiting.get(runId) === wakers) waiting.delete(runId);
          settle();
          resolve();
        };
        wakers.add(wake);
        signal.addEventListener('abort', wake);
        settle();
      });
    },
    wake(runId) {
      for (const wake of waiting.get(runId) ?? []) wake();
    },
    wakeAll,
  };
}

/** A database that cannot be asked is busy or closed: those who wait may look for themselves. */
function isForeign(foreign: (() => boolean) | undefined): boolean {
  try {
    return foreign?.() === true;
  } catch {
    return true;
  }
}
