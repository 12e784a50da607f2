import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { placeOf, writtenValue } from '../../src/event-log/index.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { endsRun, kindOfStatus, terminalStatus } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from './compare-runs.ts';
import { FOUNDATIONS } from './foundations.ts';
import { codeInEvent, codeInSnapshot } from './read-event.ts';
import type { RunObservation } from './run-observation.ts';

/** What is wrong with a snapshot, by the name of its cause. */
export interface SnapshotFault {
  readonly expected: string;
  readonly actual: string;
  /** The check that says so where it fails as well. */
  readonly restsOn?: string;
  readonly code:
    | 'snapshot-other-run'
    | 'snapshot-other-workflow'
    | 'snapshot-other-end'
    | 'snapshot-ended-early'
    | 'snapshot-behind'
    | 'snapshot-other-error'
    | 'snapshot-other-variable'
    | 'snapshot-added-variable'
    | 'snapshot-other-channel';
}

/** What a run's snapshot says beside its log. */
export type SnapshotAnswer =
  | { readonly kind: 'agrees' }
  /** It shows a run that goes on: it may be built a little later than the log. */
  | { readonly kind: 'behind'; readonly fault: SnapshotFault }
  | { readonly kind: 'differs'; readonly fault: SnapshotFault }
  /** The run ended, and there is no snapshot that shows a status. */
  | { readonly kind: 'none' }
  /** There is no end of a log to compare. */
  | { readonly kind: 'unseen' };

/** A run that was read: its log, and its snapshot after it. */
type ReadRun = Pick<RunObservation, 'role' | 'runId' | 'workflowId' | 'events' | 'snapshot' | 'problem'>;

/** Whether a run's snapshot is not that of its own log: what is judged by it rests on the check that says so. */
export function isAgainstItsLog(run: ReadRun): boolean {
  const { kind } = readSnapshotAgainstLog(run);
  return kind === 'differs' || kind === 'behind';
}

/**
 * Compares the snapshot of a run that has ended with what its log ends with: status, error code, variables, channels
 * (readings: snapshot against log). A member that the snapshot leaves out says nothing.
 */
export function readSnapshotAgainstLog(run: ReadRun): SnapshotAnswer {
  const events = eventsOf(run);
  const end = events.findLast(endsRun);
  if (run.problem !== null || end === undefined) return { kind: 'unseen' };
  const answer = readAgainst(run, events, end);
  return 'fault' in answer && endsOtherwise(events)
    ? { ...answer, fault: { ...answer.fault, restsOn: FOUNDATIONS.ends } }
    : answer;
}

/** Whether a log has two ends, and does not say which of them is the run's. */
export function endsOtherwise(events: readonly RunEvent[]): boolean {
  return new Set(events.filter(endsRun).map(({ type }) => type)).size > 1;
}

function readAgainst(run: ReadRun, events: readonly RunEvent[], end: RunEvent): SnapshotAnswer {
  const fault = otherName(run, 'runId') ?? otherName(run, 'workflowId');
  if (fault !== undefined) return { kind: 'differs', fault };
  const status = member(run.snapshot, 'status');
  const kind = kindOfStatus(status);
  if (!isRecord(run.snapshot) || (status !== undefined && typeof status !== 'string')) return { kind: 'none' };
  if (kind === 'open') {
    const behind = otherStatus(run, end, status).fault;
    return { kind: 'behind', fault: { ...behind, code: 'snapshot-behind' } };
  }
  if (kind === 'ended' && status !== terminalStatus(end.type)) return otherStatus(run, end, status);
  const other = codeFault(run, end) ?? variableFault(run, events) ?? channelFault(run, events);
  if (other !== undefined) return { kind: 'differs', fault: other };
  return { kind: status === undefined ? 'none' : 'agrees' };
}

const CODES = { runId: 'snapshot-other-run', workflowId: 'snapshot-other-workflow' } as const;

/** A snapshot names the run that was asked for, as its log does, and its workflow (wire-contract, Documents). */
function otherName(run: ReadRun, name: keyof typeof CODES): SnapshotFault | undefined {
  const [is, wanted] = [member(run.snapshot, name), run[name] ?? null];
  if (typeof is !== 'string' || wanted === null || is === wanted) return undefined;
  return {
    expected: `/${name} ${shown(wanted)} in the snapshot of ${named(run)}`,
    actual: shown(is),
    code: CODES[name],
  };
}

/**
 * Whether a snapshot shows variables and its log gives none of them a value: nothing of them can be compared. A host may
 * show some of its own, and values that a workflow begins with.
 */
export function showsVariablesOfNoEvent(run: ReadRun): boolean {
  const variables = member(run.snapshot, 'variables');
  const isShown = isRecord(variables) && Object.keys(variables).length > 0;
  return isShown && writtenIn(eventsOf(run), 'variables').size === 0;
}

function otherStatus(run: ReadRun, end: RunEvent, status: unknown) {
  const fault: SnapshotFault = {
    expected: `/status ${shown(terminalStatus(end.type))} in the snapshot of ${named(run)}: its log ends with ${end.type}`,
    actual: shown(status),
    code: 'snapshot-other-end',
  };
  return { kind: 'differs', fault } as const;
}

/** A failed run shows one error code; a snapshot may leave the error out, but not say that there is none. */
function codeFault(run: ReadRun, end: RunEvent): SnapshotFault | undefined {
  const logged = codeInEvent(end);
  if (end.type !== 'run.failed' || logged === undefined) return undefined;
  const error = member(run.snapshot, 'error');
  if (error === undefined) return undefined;
  const code = codeInSnapshot(run.snapshot);
  if (code === logged || (code === undefined && error !== null && !isScalar(error))) return undefined;
  return {
    expected: `/error/code ${shown(logged)} in the snapshot of ${named(run)}, as in sequence ${end.sequence}, run.failed`,
    actual: code === undefined ? `/error is ${shown(error)}` : shown(code),
    code: 'snapshot-other-error',
  };
}

/** A value that can hold nothing under a name, in no form of one's own; a text may be one. */
function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** What a log wrote under one name: the last value, and whether it is the only one. */
interface Written {
  readonly value: unknown;
  readonly sequence: number;
  readonly once: boolean;
}

/** The last value under each name; a change in a form of its own says nothing. */
function writtenIn(events: readonly RunEvent[], part: 'variables' | 'channels'): ReadonlyMap<string, Written> {
  const written = new Map<string, Written>();
  for (const event of events) {
    const place = placeOf(event);
    if (place?.part !== part) continue;
    const value = writtenValue(event);
    if (value === undefined) written.delete(place.name);
    else written.set(place.name, { value, sequence: event.sequence, once: !written.has(place.name) });
  }
  return written;
}

function variableFault(run: ReadRun, events: readonly RunEvent[]): SnapshotFault | undefined {
  const variables = member(run.snapshot, 'variables');
  if (!isRecord(variables) && !isScalar(variables)) return undefined;
  for (const [name, { value, sequence }] of writtenIn(events, 'variables')) {
    const is = member(variables, name);
    if (isWithout(is, value) || (is !== undefined && isDeepStrictEqual(is, value))) continue;
    return {
      expected: `/variables/${name} ${shown(value)} in the snapshot of ${named(run)}, as in sequence ${sequence}, variable.changed`,
      actual: shown(is),
      code: 'snapshot-other-variable',
    };
  }
  return undefined;
}

/**
 * A channel may be reduced from what was written to it, and what was written may expire: the last value has to be found in
 * it, a number alone where nothing else was written.
 */
function channelFault(run: ReadRun, events: readonly RunEvent[]): SnapshotFault | undefined {
  const channels = member(run.snapshot, 'channels');
  if ((!isRecord(channels) && !isScalar(channels)) || mayExpire(run)) return undefined;
  for (const [name, { value, sequence, once }] of writtenIn(events, 'channels')) {
    const is = member(channels, name);
    if (isWithout(is, value) || holds(is, value) || (!once && typeof value === 'number' && is !== undefined)) continue;
    return {
      expected: `${shown(value)} in /channels/${name} of the snapshot of ${named(run)}, as in sequence ${sequence}, channel.written`,
      actual: shown(is),
      code: 'snapshot-other-channel',
    };
  }
  return undefined;
}

/** Whether what was last written is nothing, and is left out as such. */
function isWithout(is: unknown, written: unknown): boolean {
  return is === undefined && written === null;
}

function mayExpire(run: ReadRun): boolean {
  const workflowId = member(run.snapshot, 'workflowId');
  return typeof workflowId !== 'string' || hasExpiry(workflowId);
}

/** Whether entries in a workflow's channels expire: its id has the word `ttl`, as the public fixture's has. */
export function hasExpiry(workflowId: string): boolean {
  return /(?:^|[^a-z])ttl(?:$|[^a-z])/iu.test(workflowId);
}

/** Whether a value is another one or was made from it by a reducer: appended, merged, joined. */
function holds(whole: unknown, part: unknown): boolean {
  if (isDeepStrictEqual(whole, part)) return true;
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  if (Array.isArray(whole)) {
    const last = Array.isArray(part) ? part.at(-1) : part;
    return last === undefined || whole.some((item) => holds(item, last));
  }
  if (!isRecord(whole)) return false;
  if (Object.values(whole).some((value) => isDeepStrictEqual(value, part))) return true;
  return isRecord(part) && Object.entries(part).every(([name, value]) => isDeepStrictEqual(member(whole, name), value));
}
