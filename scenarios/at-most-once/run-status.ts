/** Statuses of a run that is being worked on, or is about to be. */
const BUSY =
  /^(?:pending|queued|created|scheduled|ready|running|started|executing|processing|active|in[-_ ]?progress|recover|resum|retry|replay|claim|leas|cancelling)/iu;
const PARKED = /^(?:waiting|paused|suspended|parked|blocked|on[-_ ]?hold|needs|awaiting|requires|manual)/iu;

/** Whether a status says that a run waits for somebody (wire-contract, Documents; others are free to name it). */
export function isParked(status: unknown): boolean {
  return typeof status === 'string' && PARKED.test(status);
}

/** Whether a status says that somebody works on a run. */
export function isBusy(status: unknown): boolean {
  return typeof status === 'string' && BUSY.test(status);
}
