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

/** The signal that ended a run early, where one did. */
export function interruptedBy({ reason }: AbortSignal): InterruptSignal | undefined {
  return reason instanceof Interrupted ? reason.by : undefined;
}
