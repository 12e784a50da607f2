import type { TransportFailure } from '../evidence/types.ts';
import { transportFailure } from './transport.ts';

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failure'; readonly reason: TransportFailure; readonly message: string };

/** Runs `work` until it ends, `deadline` (epoch milliseconds) passes or `outer` aborts; a failure is a value. */
export async function withDeadline<T>(
  outer: AbortSignal,
  deadline: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Outcome<T>> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      abort();
    },
    Math.max(0, deadline - Date.now()),
  );
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  try {
    return { kind: 'done', value: await work(controller.signal) };
  } catch (error) {
    if (late) return { kind: 'failure', reason: 'timeout', message: 'no complete answer within the time-out' };
    if (outer.aborted) return { kind: 'failure', reason: 'aborted', message: 'the scenario was stopped' };
    return { kind: 'failure', ...transportFailure(error) };
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  }
}
