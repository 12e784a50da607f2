/** Lets calls go in a given order, without blocking a caller that makes one after the other. */
export interface Order {
  /**
   * Resolves when the call may be answered: all its predecessors were, its patience is over, or the signal (the caller
   * went away) has aborted. At once for a name that has no place in the order.
   */
  turn(name: string, signal: AbortSignal): Promise<void>;
  /** Says that a call of this name was answered. */
  answered(name: string): void;
  /** Lets everyone go. */
  release(): void;
}

/** Makes an order of these names; a call waits at most `patienceMs` milliseconds. */
export function createOrder(names: readonly string[], patienceMs: number): Order {
  const done = new Set<string>();
  const waiting = new Set<{ readonly name: string; go(): void }>();
  const mayGo = (name: string): boolean =>
    names.slice(0, Math.max(0, names.indexOf(name))).every((predecessor) => done.has(predecessor));
  return {
    turn(name, signal) {
      if (mayGo(name) || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const go = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', go);
          waiting.delete(waiter);
          resolve();
        };
        const waiter = { name, go };
        const timer = setTimeout(go, patienceMs);
        signal.addEventListener('abort', go, { once: true });
        waiting.add(waiter);
      });
    },
    answered(name) {
      done.add(name);
      for (const waiter of waiting) if (mayGo(waiter.name)) waiter.go();
    },
    release() {
      for (const waiter of waiting) waiter.go();
    },
  };
}
