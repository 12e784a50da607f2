import type { EffectHold } from '../evidence/witness.ts';
import { createWaiters } from './waiters.ts';

/** Answers that are held back, by the name of the effect that is called. */
export interface Holds {
  /** Holds back the answers to calls of this name from now on. */
  hold(name: string): EffectHold;
  /** Counts a call that has arrived, and resolves when its answer may go, or when the signal (the caller went away) aborts. */
  passed(name: string, signal: AbortSignal): Promise<void>;
  /** Lets everyone go, and holds nobody back any more. */
  release(): void;
}

/** Makes the holds of one visit; nothing is held back at first. */
export function createHolds(): Holds {
  const held = new Set<ReturnType<typeof createHold>>();
  let closed = false;
  return {
    hold(name) {
      const entry = createHold(name, () => held.delete(entry));
      if (closed) entry.release();
      else held.add(entry);
      return entry;
    },
    async passed(name, signal) {
      await Promise.all([...held].filter((entry) => entry.name === name).map((entry) => entry.passed(signal)));
    },
    release() {
      closed = true;
      for (const entry of held) entry.release();
    },
  };
}

function createHold(name: string, onRelease: () => void) {
  const waiters = createWaiters();
  let count = 0;
  let released = false;
  const hold: EffectHold = {
    async arrived(wanted, waiting) {
      if (count < wanted && !released) await waiters.wait(() => count >= wanted || undefined, waiting);
      return count >= wanted;
    },
    release() {
      released = true;
      waiters.release();
      onRelease();
    },
  };
  const passed = (signal: AbortSignal): Promise<undefined> => {
    count += 1;
    waiters.tell();
    return waiters.wait(() => undefined, { signal });
  };
  return { ...hold, name, passed };
}
