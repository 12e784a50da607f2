import type { EffectHold, Waiting } from '../evidence/witness.ts';

/** Answers that are held back, by the name of the effect that is called. */
export interface Holds {
  /** Holds back the answers to calls of this name from now on. */
  hold(name: string): EffectHold;
  /** Counts a call that has arrived, and resolves when its answer may go, or when the signal (the caller went away) aborts. */
  passed(name: string, signal: AbortSignal): Promise<void>;
  /** Lets everyone go, and holds nobody back any more. */
  release(): void;
}

interface Held {
  readonly name: string;
  arrive(): void;
  readonly over: Promise<void>;
  release(): void;
}

/** Makes the holds of one visit; nothing is held back at first. */
export function createHolds(): Holds {
  const held = new Set<Held>();
  let closed = false;
  return {
    hold(name) {
      const { entry, hold } = createHold(name, () => held.delete(entry));
      if (closed) entry.release();
      else held.add(entry);
      return hold;
    },
    async passed(name, signal) {
      const entries = [...held].filter((entry) => entry.name === name);
      for (const entry of entries) entry.arrive();
      if (entries.length === 0) return;
      await Promise.race([Promise.all(entries.map(({ over }) => over)), aborted(signal)]);
    },
    release() {
      closed = true;
      for (const entry of held) entry.release();
    },
  };
}

function createHold(name: string, onRelease: () => void): { readonly entry: Held; readonly hold: EffectHold } {
  const waiting = new Set<() => void>();
  const gate = { open: (): void => undefined };
  const over = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  let count = 0;
  let released = false;
  const entry: Held = {
    name,
    over,
    arrive() {
      count += 1;
      for (const look of waiting) look();
    },
    release() {
      released = true;
      gate.open();
      for (const look of waiting) look();
      onRelease();
    },
  };
  const arrived = (wanted: number, { timeoutMs, signal }: Waiting): Promise<boolean> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (count < wanted && !released && !signal.aborted) return;
        stop();
      };
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        waiting.delete(look);
        resolve(count >= wanted);
      };
      const timer = setTimeout(stop, timeoutMs);
      signal.addEventListener('abort', stop, { once: true });
      waiting.add(look);
      look();
    });
  return { entry, hold: { arrived, release: () => entry.release() } };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
