import { setMaxListeners } from 'node:events';
import { EvidenceFull } from '../evidence/budget.ts';
import type { RanOutOf } from '../evidence/types.ts';

/** Signals that ask a run to end early. */
export type InterruptSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

/** Why a run's signal was aborted: somebody ended the run. Named as every aborted request's error is. */
export class Interrupted extends Error {
  override readonly name = 'AbortError';
  readonly by: InterruptSignal;

  constructor(by: InterruptSignal) {
    super(`the run was interrupted by ${by}`);
    this.by = by;
  }
}

/** What ended a run early, where something did: a signal of the process, or a program's own. */
export function endedBy(signal: AbortSignal): InterruptSignal | 'AbortSignal' | undefined {
  return interruptedBy(signal) ?? (signal.aborted ? 'AbortSignal' : undefined);
}

/** The signal of the process that ended a run early, where one did. */
export function interruptedBy({ reason }: AbortSignal): InterruptSignal | undefined {
  return reason instanceof Interrupted ? reason.by : undefined;
}

/** Why a run's signal was aborted: its time was up. Named as every aborted request's error is. */
class OutOfTime extends Error {
  override readonly name = 'AbortError';
}

/** Why a run's signal was aborted: enough checks had failed. */
export class EnoughFailed extends Error {
  override readonly name = 'AbortError';
  readonly most: number;

  constructor(most: number) {
    super(enoughFailed(most));
    this.most = most;
  }
}

/** The failed checks that ended a run, where they did. */
export function stoppedAfter({ reason }: AbortSignal): number | undefined {
  return reason instanceof EnoughFailed ? reason.most : undefined;
}

/** What was used up, where that ended a run. */
export function ranOutOf({ reason }: AbortSignal): RanOutOf | undefined {
  if (reason instanceof OutOfTime) return 'time';
  return reason instanceof EvidenceFull ? 'evidence' : undefined;
}

/** What is said of a scenario that was not driven to its end because so many checks had failed. */
export function enoughFailed(most: number): string {
  return `the run was stopped after ${most} failed ${most === 1 ? 'check' : 'checks'} (--max-failures)`;
}

/** What a scenario that was not driven to its end is told of a run that ended early. */
export function whyStopped({ reason }: AbortSignal): string {
  const isOurs = [OutOfTime, EvidenceFull, EnoughFailed].some((kind) => reason instanceof kind);
  return isOurs ? reason.message : 'the run was interrupted';
}

/** A signal that aborts with the first of these signals, or after `maxTimeMs`. To be cancelled when the run is over. */
export function stopping(
  signals: readonly AbortSignal[],
  maxTimeMs: number | undefined,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const out = new OutOfTime(`the run was not over within ${maxTimeMs} ms (--max-time)`);
  const timer = maxTimeMs === undefined ? undefined : setTimeout(() => controller.abort(out), maxTimeMs);
  const cancelled = new AbortController();
  for (const signal of signals) {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: cancelled.signal });
  }
  return {
    signal: controller.signal,
    cancel: () => {
      clearTimeout(timer);
      cancelled.abort();
    },
  };
}
