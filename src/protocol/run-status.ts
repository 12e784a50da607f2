/** The statuses that the types of events stand for which end a run's log. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['run.completed', 'completed'],
  ['run.failed', 'failed'],
  ['run.cancelled', 'cancelled'],
]);

/** The status that a terminal event type stands for, or undefined for any other type. */
export function terminalStatus(type: string): string | undefined {
  return ENDS.get(type);
}

/** Whether an event ends its run's log. */
export function endsRun({ type }: { readonly type: string }): boolean {
  return ENDS.has(type);
}

/** The status with which a log's first terminal event ends it; undefined where it has no end. */
export function endOf(events: readonly { readonly type: string }[]): string | undefined {
  return terminalStatus(events.find(endsRun)?.type ?? '');
}

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
const ENDED: ReadonlySet<unknown> = new Set(ENDS.values());

/** Whether a status says that the run has ended (`ended`) or goes on (`open`); undefined for one that the wire does not name. */
export function kindOfStatus(status: unknown): 'ended' | 'open' | undefined {
  if (ENDED.has(status)) return 'ended';
  return OPEN.has(status) ? 'open' : undefined;
}

/** Whether a status says that the run has ended. */
export function isEnded(status: unknown): boolean {
  return ENDED.has(status);
}

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

/** Words of a host's own for a run that goes on, which can mean no end. */
const GOES_ON =
  /^(?:(?:executing|processing|resuming|recovering|retrying|replaying|queued|enqueued|scheduled|suspended|in[-_ ]?progress)$|(?:waiting|awaiting)(?:$|[-_ ]))/iu;

/** Whether a status says that a run goes on, in the wire's words or in others that can mean nothing else. */
export function goesOn(status: unknown): boolean {
  return kindOfStatus(status) === 'open' || (typeof status === 'string' && GOES_ON.test(status));
}

/** Words of a host's own for the ends of runs, by the wire's. */
const MEANT: readonly (readonly [end: string, words: RegExp])[] = [
  ['completed', /^(?:completed|succeeded|success|successful)$/iu],
  ['failed', /^(?:failed|failure|errored)$/iu],
  ['cancelled', /^cancell?ed$/iu],
];

/** The end that a status says, in the wire's word or in another one that can mean nothing else; undefined where it says none. */
export function endSaidBy(status: unknown): string | undefined {
  return typeof status === 'string' ? MEANT.find(([, words]) => words.test(status))?.[0] : undefined;
}

/** Whether a status is a word of the host's own, as the wire tolerates it, and not one for a run that goes on or waits: it may be an end. */
export function isOwnWord(status: unknown): status is string {
  return typeof status === 'string' && kindOfStatus(status) === undefined && !isBusy(status) && !isParked(status);
}

/** What is done about a host that makes runs and carries none of them out. */
export const CARRY_OUT = 'let the host carry out the runs that it makes';
