import type { TransportFailure } from '../evidence/types.ts';
import { transportFailure } from './transport.ts';

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failure'; readonly reason: TransportFailure; readonly message: string };

/** Stops the time of one piece of work while it waits for its turn here, for which the host can do nothing; the answer goes on. */
export type StopClock = () => () => void;

/** Runs `work` until it ends, `deadline` (epoch milliseconds) passes or `outer` aborts; a failure is a value. */
export async function withDeadline<T>(
  outer: AbortSignal,
  deadline: number,
  work: (signal: AbortSignal, stopClock: StopClock) => Promise<T>,
): Promise<Outcome<T>> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let late = false;
  const abortAfter = (ms: number): NodeJS.Timeout =>
    setTimeout(
      () => {
        late = true;
        abort();
      },
      Math.max(0, ms),
    );
  let ended = false;
  let timer = abortAfter(deadline - Date.now());
  const stopClock: StopClock = () => {
    const left = deadline - Date.now();
    clearTimeout(timer);
    return () => {
      if (!ended) timer = abortAfter(left);
    };
  };
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  try {
    return { kind: 'done', value: await work(controller.signal, stopClock) };
  } catch (error) {
    if (late) return { kind: 'failure', reason: 'timeout', message: 'no complete answer within the time-out' };
    if (outer.aborted) return { kind: 'failure', reason: 'aborted', message: 'the scenario was stopped' };
    return { kind: 'failure', ...transportFailure(error) };
  } finally {
    ended = true;
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  }
}
