/** Why a run's signal was aborted by the harness itself. Named as every aborted request's error is. */
export class RunStopped extends Error {
  override readonly name = 'AbortError';
}

/** What a scenario that was not driven to its end is told of a run that ended early. */
export function whyStopped({ reason }: AbortSignal): string {
  return reason instanceof RunStopped ? reason.message : 'the run was interrupted';
}

/** A signal that aborts with RunStopped after so many milliseconds, or with the outer signal. Cancel it when the run is over. */
export function boundInTime(
  outer: AbortSignal,
  maxTimeMs: number,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new RunStopped(`the run took longer than --max-time, ${maxTimeMs} ms`)),
    maxTimeMs,
  );
  const abort = (): void => controller.abort(outer.reason);
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    cancel: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
