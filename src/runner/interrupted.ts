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
