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
