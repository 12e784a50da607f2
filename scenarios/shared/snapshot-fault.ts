import { member } from '../../src/contract/discovery.ts';
import { placeOf, writtenValue } from '../../src/event-log/index.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { endSaidBy, endsRun, goesOn, terminalStatus } from '../../src/protocol/run-status.ts';
import { holdsNothing } from './emptiness.ts';
import { readChannel } from './channel-form.ts';
import { eventsOf, named, shown } from './compare-runs.ts';
import { FOUNDATIONS } from './foundations.ts';
import { areEqualButHidden, isHidden } from './hidden-value.ts';
import { codeInEvent, codeInSnapshot } from './read-event.ts';
import type { RunObservation } from './observed-run.ts';

/** What is wrong with a snapshot, by the name of its cause. */
export interface SnapshotFault {
  readonly expected: string;
  readonly actual: string;
  /** The check that says so where it fails as well. */
  readonly restsOn?: string;
  readonly code:
    | 'snapshot-other-end'
    | 'snapshot-ended-early'
    | 'snapshot-behind'
    | 'snapshot-other-error'
    | 'snapshot-other-variable'
    | 'snapshot-added-variable'
    | 'snapshot-added-channel'
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

/** Whether a run's snapshot shows its end, and not what its log ends with beside that: values may be written a little later than the status. */
export function mayLag(run: ReadRun): boolean {
  const answer = readSnapshotAgainstLog(run);
  return answer.kind === 'differs' && isOfValues(answer.fault);
}

/** Whether something other than the end is wrong. */
export function isOfValues({ code }: SnapshotFault): boolean {
  return code !== 'snapshot-other-end';
}

/** Whether a log has two ends, and does not say which of them is the run's. */
export function endsOtherwise(events: readonly RunEvent[]): boolean {
  return new Set(events.filter(endsRun).map(({ type }) => type)).size > 1;
}

function readAgainst(run: ReadRun, events: readonly RunEvent[], end: RunEvent): SnapshotAnswer {
  const status = member(run.snapshot, 'status');
  const said = endSaidBy(status);
  if (!isRecord(run.snapshot) || (status !== undefined && typeof status !== 'string')) return { kind: 'none' };
  if (goesOn(status)) {
    const behind = otherStatus(run, end, status).fault;
    return { kind: 'behind', fault: { ...behind, code: 'snapshot-behind' } };
  }
  if (said !== undefined && said !== terminalStatus(end.type)) return otherStatus(run, end, status);
  const other = codeFault(run, end) ?? variableFault(run, events) ?? channelFault(run, events);
  if (other !== undefined) return { kind: 'differs', fault: other };
  return { kind: status === undefined ? 'none' : 'agrees' };
}

/** Whether a snapshot names another run than the one that it was asked of (wire-contract, Documents). */
export function namesAnotherRun({ runId, snapshot }: Pick<ReadRun, 'runId' | 'snapshot'>): boolean {
  const is = member(snapshot, 'runId');
  return typeof is === 'string' && runId !== null && is !== runId;
}

/**
 * Whether a snapshot shows variables and its log gives none of them a value: nothing of them can be compared. A host may
 * show some of its own, and values that a workflow begins with.
 */
export function showsVariablesOfNoEvent(run: ReadRun): boolean {
  const variables = member(run.snapshot, 'variables');
  const isShown = isRecord(variables) && Object.keys(variables).length > 0;
  return isShown && writtenIn(run, eventsOf(run), 'variables').size === 0;
}

function otherStatus(run: ReadRun, end: RunEvent, status: unknown) {
  const fault: SnapshotFault = {
    expected: `/status ${shown(terminalStatus(end.type))} in the snapshot of ${named(run)}: its log ends with ${end.type}`,
    actual: shown(status),
    code: 'snapshot-other-end',
  };
  return { kind: 'differs', fault } as const;
}

/** Codes by which a host may say that there was no error. */
const NO_ERROR = /^(?:|0|ok|none|success|no[-_ ]?error)$/iu;

/** A failed run shows one error code; a snapshot may leave the error out, or write null for that. A completed run has none. */
function codeFault(run: ReadRun, end: RunEvent): SnapshotFault | undefined {
  const logged = codeInEvent(end);
  const shownCode = codeInSnapshot(run.snapshot);
  if (end.type === 'run.completed' && shownCode !== undefined && shownCode !== logged && !NO_ERROR.test(shownCode)) {
    return {
      expected: `no /error/code in the snapshot of ${named(run)}: its log ends with sequence ${end.sequence}, run.completed`,
      actual: shown(shownCode),
      code: 'snapshot-other-error',
    };
  }
  if (end.type !== 'run.failed' || logged === undefined) return undefined;
  const error = member(run.snapshot, 'error') ?? undefined;
  if (error === undefined) return undefined;
  if (shownCode === logged || (shownCode === undefined && !isScalar(error))) return undefined;
  return {
    expected: `/error/code ${shown(logged)} in the snapshot of ${named(run)}, as in sequence ${end.sequence}, run.failed`,
    actual: shownCode === undefined ? `/error is ${shown(error)}` : shown(shownCode),
    code: 'snapshot-other-error',
  };
}

/** A value that can hold nothing under a name, in no form of one's own; a text may be one. */
function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** What a log wrote under one name: all values in their order, and the number of the last one. */
interface Written {
  readonly values: readonly unknown[];
  readonly sequence: number;
}

/**
 * What was written under each name since the last change in a form of its own, which says nothing, or by an event of its own that names
 * it, or none; a child's events are its own.
 */
function writtenIn(
  { runId }: ReadRun,
  events: readonly RunEvent[],
  part: 'variables' | 'channels',
): ReadonlyMap<string, Written> {
  const written = new Map<string, { values: unknown[]; sequence: number }>();
  // A fork may show its history under the id of its source, in which the log begins.
  const own = new Set<unknown>([runId, member(events[0]?.raw, 'runId')]);
  for (const event of events) {
    if (isOfAnother(event, own)) continue;
    const place = placeOf(event);
    if (isOwnChange(event, part)) {
      const texts = textsIn(event.payload);
      if (texts.length === 0) written.clear();
      for (const name of texts) written.delete(name);
    }
    if (place?.part !== part) continue;
    const value = hasOwnScope(event) ? undefined : writtenValue(event);
    const before = written.get(place.name);
    if (value === undefined) written.delete(place.name);
    else if (before === undefined) written.set(place.name, { values: [value], sequence: event.sequence });
    else {
      before.values.push(value);
      before.sequence = event.sequence;
    }
  }
  return written;
}

/** Types of events about variables or channels; a host may have some beside the one that writes them (wire: unknown types are tolerated). */
const ABOUT = { variables: /(?:^|\.)variables?\./iu, channels: /(?:^|\.)channels?\./iu } as const;

/** Whether an event of the host's own may change variables or channels: remove them, say. */
function isOwnChange({ type }: RunEvent, part: keyof typeof ABOUT): boolean {
  return type !== 'variable.changed' && type !== 'channel.written' && ABOUT[part].test(type);
}

/** Scopes whose variables are those of the run. */
const OF_THE_RUN = /^(?:run|workflow|global|root)$/iu;

/** Whether a write says that it is for a part of the run, such as one turn of a loop. */
function hasOwnScope({ payload }: RunEvent): boolean {
  const scope = member(payload, 'scope');
  return typeof scope === 'string' && !OF_THE_RUN.test(scope);
}

/** All texts and names in a value. */
function textsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === 'string') found.push(each);
    else if (Array.isArray(each)) for (const inner of each) open.push(inner);
    else if (isRecord(each)) for (const [name, inner] of Object.entries(each)) open.push(name, inner);
  }
  return found;
}

function isOfAnother({ raw }: RunEvent, own: ReadonlySet<unknown>): boolean {
  const runId = member(raw, 'runId');
  return typeof runId === 'string' && !own.has(runId);
}

function variableFault(run: ReadRun, events: readonly RunEvent[]): SnapshotFault | undefined {
  const variables = member(run.snapshot, 'variables');
  if (!isRecord(variables) && !isScalar(variables)) return undefined;
  for (const [name, { values, sequence }] of writtenIn(run, events, 'variables')) {
    const value = values.at(-1);
    const is = member(variables, name);
    if (isWithout(is, value) || areEqualButHidden(is, value)) continue;
    return {
      expected: `/variables/${name} ${shown(value)} in the snapshot of ${named(run)}, as in sequence ${sequence}, variable.changed`,
      actual: shown(is),
      code: 'snapshot-other-variable',
    };
  }
  return undefined;
}

/** A channel may be reduced from what was written to it, and what was written may expire: some of it has to be found in it. */
function channelFault(run: ReadRun, events: readonly RunEvent[]): SnapshotFault | undefined {
  for (const { name, is, values, sequence } of channelsIn(run, events)) {
    if (readChannel(is, values) !== 'lost' || isPartHidden(is) || values.some(isPartHidden)) continue;
    return {
      expected: `${shown(values.at(-1))} in /channels/${name} of the snapshot of ${named(run)}, as in sequence ${sequence}, channel.written`,
      actual: shown(is),
      code: 'snapshot-other-channel',
    };
  }
  return undefined;
}

/** Whether some of a value is hidden: what was written to a channel is not looked for there. */
function isPartHidden(value: unknown): boolean {
  return textsIn(value).some(isHidden);
}

/** The variables whose values a snapshot or its log hides, and whether those are all that the log gives values. */
export function variablesHidden(run: ReadRun): { readonly names: readonly string[]; readonly areAll: boolean } {
  const variables = member(run.snapshot, 'variables');
  const written = isRecord(variables) ? [...writtenIn(run, eventsOf(run), 'variables')] : [];
  const names = written.flatMap(([name, { values }]) =>
    isHidden(values.at(-1)) || isHidden(member(variables, name)) ? [name] : [],
  );
  return { names, areAll: names.length > 0 && names.length === written.length };
}

/** The names of the channels that a snapshot shows in a form in which what the log wrote cannot be looked for. */
export function channelsOfOwnForm(run: ReadRun): readonly string[] {
  const channels = channelsIn(run, eventsOf(run));
  return channels.flatMap(({ name, is, values }) => (readChannel(is, values) === 'own form' ? [name] : []));
}

/** The names of the variables, or channels, in which a snapshot shows something, and which no event of the log names: a host may show some of its own. */
export function namesOfNoEvent(run: ReadRun, part: 'variables' | 'channels'): readonly string[] {
  const shownPart = member(run.snapshot, part);
  if (!isRecord(shownPart)) return [];
  const written = new Set(eventsOf(run).map((event) => placeOf(event)?.name));
  const held = Object.entries(shownPart).filter(([name, value]) => !written.has(name) && !holdsNothing(value));
  if (held.length === 0) return [];
  const logged = JSON.stringify(run.events);
  return held.flatMap(([name]) => (logged.includes(JSON.stringify(name)) ? [] : [name]));
}

/** The channels that a log wrote, each with what the snapshot shows; none where it shows none, or entries may expire. */
function channelsIn(
  run: ReadRun,
  events: readonly RunEvent[],
): readonly (Written & { readonly name: string; readonly is: unknown })[] {
  const channels = member(run.snapshot, 'channels');
  if ((!isRecord(channels) && !isScalar(channels)) || mayExpire(run)) return [];
  return [...writtenIn(run, events, 'channels')].map(([name, written]) => ({
    ...written,
    name,
    is: member(channels, name),
  }));
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
