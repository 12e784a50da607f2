/** The statuses of a run that the wire names (wire-contract, Documents); hosts may have others. */
const OPEN: ReadonlySet<unknown> = new Set([
  'pending',
  'running',
  'paused',
  'waiting-approval',
  'waiting-input',
  'waiting-external',
  'cancelling',
]);
const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a status says that the run has ended (`ended`) or goes on (`open`); undefined for one that the wire does not name. */
export function kindOfStatus(status: unknown): 'ended' | 'open' | undefined {
  if (ENDED.has(status)) return 'ended';
  return OPEN.has(status) ? 'open' : undefined;
}
