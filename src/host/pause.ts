const listening = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `act` when a signal aborts, unless the function that is returned was called before. All that wait for one signal
 * share one listener: every exchange of a scenario waits for its signal.
 */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const acts = listening.get(signal) ?? listen(signal);
  acts.add(act);
  return () => void acts.delete(act);
}

function listen(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>();
  listening.set(signal, acts);
  signal.addEventListener(
    'abort',
    () => {
      for (const act of acts) act();
    },
    { once: true },
  );
  return acts;
}

/** Waits so many milliseconds between two requests, or until the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
