import type { TransportFailure } from '../evidence/types.ts';
import { transportFailure } from './transport.ts';
import { whenAborted } from './when-aborted.ts';

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failure'; readonly reason: TransportFailure; readonly message: string };

/** Stops the time of one piece of work while it waits for its turn here, for which the host can do nothing; the answer goes on. */
export type StopClock = () => () => void;

/** What a piece of work can say about its time. */
export interface Time {
  /** Says what ends the work early; the last one said counts, and is done at once where the work is stopped already. */
  readonly onStop: (end: () => void) => void;
  readonly stopClock: StopClock;
}

/** A timer that comes so much too late was kept by this process, which heard no host meanwhile; in milliseconds. */
const KEPT_MS = 250;

/** Runs `work` until it ends, `deadline` (epoch milliseconds) passes or `outer` aborts; a failure is a value. */
export async function withDeadline<T>(
  outer: AbortSignal,
  deadline: number,
  work: (time: Time) => Promise<T>,
): Promise<Outcome<T>> {
  if (outer.aborted) return ABORTED;
  let end: (() => void) | undefined;
  let isStopped = false;
  let late = false;
  let until = deadline;
  /** What may be added for this process at most. */
  let grace = Math.max(0, until - Date.now());
  const stop = (): void => {
    isStopped = true;
    end?.();
  };
  const stopAfter = (ms: number): NodeJS.Timeout => {
    const due = Date.now() + Math.max(0, ms);
    const over = (): void => {
      const kept = Math.min(Date.now() - due, grace);
      if (kept > KEPT_MS) {
        grace -= kept;
        until += kept;
        timer = stopAfter(kept);
        return;
      }
      late = true;
      stop();
    };
    return setTimeout(over, Math.max(0, ms));
  };
  let ended = false;
  let timer = stopAfter(until - Date.now());
  const stopClock: StopClock = () => {
    const left = until - Date.now();
    clearTimeout(timer);
    return () => {
      if (!ended) timer = stopAfter(left);
    };
  };
  const onStop: Time['onStop'] = (ends) => {
    end = ends;
    if (isStopped) ends();
  };
  const forget = whenAborted(outer, stop);
  try {
    return { kind: 'done', value: await work({ onStop, stopClock }) };
  } catch (error) {
    if (late) return { kind: 'failure', reason: 'timeout', message: 'no complete answer within the time-out' };
    if (outer.aborted) return ABORTED;
    return { kind: 'failure', ...transportFailure(error) };
  } finally {
    ended = true;
    clearTimeout(timer);
    forget();
  }
}

const ABORTED = { kind: 'failure', reason: 'aborted', message: 'the scenario was stopped' } as const;
