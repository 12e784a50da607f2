import { member } from '../../src/contract/discovery.ts';
import { placeOf } from '../../src/event-log/index.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { pointerToken } from '../../src/protocol/json-pointer.ts';
import { endOf, isOwnWord } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from './compare-runs.ts';
import { FOUNDATIONS } from './foundations.ts';
import { nodeOf } from './read-event.ts';
import type { RunObservation } from './run-observation.ts';
import { readSnapshotAgainstLog, type SnapshotFault } from './snapshot-fault.ts';

/** What is wrong with a fork's snapshot beside that of its source, where its own log does not tell; undefined where nothing is. */
export function faultBesideSource(fork: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  return ownWordFault(fork, among) ?? addedVariable(fork, among) ?? hiddenPart(fork, among);
}

/**
 * Variables or channels that a branch's log writes, that its source's snapshot shows and its own leaves out. A host may show none
 * (wire-contract, Documents), but not of branches alone; of replays the row about states says so.
 */
function hiddenPart(branch: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  if (branch.fork?.mode !== 'branch' || branch.problem !== null || !isRecord(branch.snapshot)) return undefined;
  const events = eventsOf(branch);
  const source = sourceOf(branch.fork.sourceRunId, among);
  if (source === undefined || endOf(events) === undefined) return undefined;
  const written = new Set(events.map((event) => placeOf(event)?.part));
  const hidden = (['variables', 'channels'] as const).find(
    (part) =>
      written.has(part) && isRecord(member(source.snapshot, part)) && (member(branch.snapshot, part) ?? null) === null,
  );
  if (hidden === undefined) return undefined;
  return {
    expected: `/${hidden} in the snapshot of ${named(branch)}, whose log writes some, as in that of ${named(source)}`,
    actual: shown(member(branch.snapshot, hidden) ?? null),
    restsOn: FOUNDATIONS.sameStates,
    code: hidden === 'variables' ? 'snapshot-other-variable' : 'snapshot-other-channel',
  };
}

function sourceOf(sourceRunId: string | null, among: readonly RunObservation[]): RunObservation | undefined {
  return among.find(({ runId, problem }) => problem === null && runId !== null && runId === sourceRunId);
}

/**
 * A variable in a replay's snapshot that its log does not write and its source's snapshot does not have: no default of the
 * workflow explains it. A host may write no event for what nodes write, so a node that completed in the replay alone may have.
 */
function addedVariable(replay: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  const variables = member(replay.snapshot, 'variables');
  if (replay.fork?.mode !== 'replay' || replay.problem !== null || !isRecord(variables)) return undefined;
  const events = eventsOf(replay);
  const written = writtenIn(events);
  const names = written === undefined ? [] : Object.keys(variables).filter((name) => !written.has(name));
  if (names.length === 0 || endOf(events) === undefined) return undefined;
  const source = sourceOf(replay.fork.sourceRunId, among);
  if (source === undefined || readSnapshotAgainstLog(source).kind !== 'agrees') return undefined;
  const theirs = member(source.snapshot, 'variables');
  const before = eventsOf(source);
  const known = writtenIn(before);
  if (!isRecord(theirs) || known === undefined) return undefined;
  const completed = completedIn(before);
  if (![...completedIn(events)].every((node) => completed.has(node))) return undefined;
  const added = names.find((name) => !Object.hasOwn(theirs, name) && !known.has(name));
  if (added === undefined) return undefined;
  return {
    expected: `no /variables/${pointerToken(added)} in the snapshot of ${named(replay)}: its log does not write it, and that of ${named(source)} has none`,
    actual: shown(variables[added]),
    code: 'snapshot-added-variable',
  };
}

/** The names of the variables that a log writes; undefined where it writes one without saying which. */
function writtenIn(events: readonly RunEvent[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const event of events) {
    const place = placeOf(event);
    if (place === undefined) return undefined;
    if (place.part === 'variables') names.add(place.name);
  }
  return names;
}

function completedIn(events: readonly RunEvent[]): ReadonlySet<string | undefined> {
  return new Set(events.filter(({ type }) => type === 'node.completed').map((event) => nodeOf(event)));
}

/**
 * What is wrong with a fork's snapshot that has a word of the host's own for an end which its source's snapshot calls by the wire's.
 * Unknown statuses are tolerated (wire-contract, Documents), but two words for one end are two states. Undefined where nothing is.
 */
export function ownWordFault(fork: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  if (fork.fork === null || fork.problem !== null) return undefined;
  const end = endOf(eventsOf(fork));
  const status = member(fork.snapshot, 'status');
  if (end === undefined || !isOwnWord(status)) return undefined;
  const source = sourceOf(fork.fork.sourceRunId, among);
  if (source === undefined || endOf(eventsOf(source)) !== end || member(source.snapshot, 'status') !== end)
    return undefined;
  return {
    expected: `/status ${shown(end)} in the snapshot of ${named(fork)}, as in that of ${named(source)}: both logs end so`,
    actual: shown(status),
    code: 'snapshot-other-end',
  };
}
