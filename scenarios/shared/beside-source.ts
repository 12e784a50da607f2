import { member } from '../../src/contract/discovery.ts';
import { placeOf } from '../../src/event-log/index.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { pointerToken } from '../../src/protocol/json-pointer.ts';
import { endOf, isOwnWord } from '../../src/protocol/run-status.ts';
import { eventsOf, named, shown } from './compare-runs.ts';
import { isEmpty } from './emptiness.ts';
import { FOUNDATIONS } from './foundations.ts';
import { isAsking } from './open-question.ts';
import { nodeOf } from './read-event.ts';
import type { RunObservation } from './run-observation.ts';
import { readSnapshotAgainstLog, type SnapshotFault } from './snapshot-fault.ts';

/** What is wrong with a fork's snapshot beside that of its source, where its own log does not tell; undefined where nothing is. */
export function faultBesideSource(fork: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  return ownWordFault(fork, among) ?? addedValue(fork, among) ?? hiddenPart(fork, among);
}

/**
 * Variables or channels that a branch's log writes, that its source's snapshot shows and its own leaves out. A host may show none
 * (wire-contract, Documents), but not of branches alone; of replays the row about states says so.
 */
function hiddenPart(branch: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  if (branch.fork?.mode !== 'branch' || branch.problem !== null || !isRecord(branch.snapshot)) return undefined;
  const events = eventsOf(branch);
  const source = sourceOf(branch.fork.sourceRunId, among);
  // Of what was cancelled less may be shown than of a source that was not.
  if (source === undefined || (endOf(events) ?? 'cancelled') === 'cancelled') return undefined;
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
 * A variable or channel in a fork's snapshot that its log does not write and its source's snapshot does not have: no default of the
 * workflow explains it. A host may write no event for what nodes write, so a node that completed in the fork alone may have; nor for
 * what comes of an overlay, or of another answer, so that a branch has neither.
 */
function addedValue(run: RunObservation, among: readonly RunObservation[]): SnapshotFault | undefined {
  const { fork, problem } = run;
  const events = eventsOf(run);
  if (fork === null || problem !== null || endOf(events) === undefined) return undefined;
  if (fork.mode !== 'replay' && (fork.isPlain !== true || events.some(isAsking))) return undefined;
  const source = sourceOf(fork.sourceRunId, among);
  if (source === undefined) return undefined;
  return readSnapshotAgainstLog(source).kind === 'agrees' ? addedBeside(run, source) : undefined;
}

/**
 * A variable or channel in the snapshot of a run that its log does not write and the snapshot of another run of its workflow does not
 * have; nor that of the run that dispatched it, whose variables a host may hand down.
 */
export function addedBeside(
  run: ShownRun,
  other: ShownRun,
  parent?: Pick<ShownRun, 'snapshot'>,
): SnapshotFault | undefined {
  const added = addedIn('variables', run, other) ?? addedIn('channels', run, other);
  if (added === undefined) return undefined;
  const { part, name } = added;
  const completed = completedIn(eventsOf(other));
  if (![...completedIn(eventsOf(run))].every((node) => completed.has(node))) return undefined;
  if (member(member(parent?.snapshot, part), name) !== undefined) return undefined;
  return {
    expected: `no /${part}/${pointerToken(name)} in the snapshot of ${named(run)}: its log does not write it, and that of ${named(other)} has none`,
    actual: shown(member(member(run.snapshot, part), name)),
    code: part === 'variables' ? 'snapshot-added-variable' : 'snapshot-added-channel',
  };
}

type ShownRun = Pick<RunObservation, 'role' | 'runId' | 'events' | 'snapshot'> & Partial<Pick<RunObservation, 'fork'>>;

type Part = 'variables' | 'channels';

/** The name of a value that the snapshot of a run has beside that of another one, and that neither log writes. */
function addedIn(
  part: Part,
  replay: ShownRun,
  source: ShownRun,
): { readonly part: Part; readonly name: string } | undefined {
  const [ours, theirs] = [member(replay.snapshot, part), member(source.snapshot, part)];
  if (!isRecord(ours) || !isRecord(theirs)) return undefined;
  const names = Object.keys(ours).filter((name) => !Object.hasOwn(theirs, name));
  if (names.length === 0) return undefined;
  const [written, known] = [replay, source].map((run) => writtenIn(eventsOf(run), part));
  if (written === undefined || known === undefined) return undefined;
  // A branch that shows that something is empty, or open, shows no value.
  const isValue = (name: string): boolean => replay.fork?.mode !== 'branch' || !isEmpty(ours[name]);
  const added = names.find((name) => !written.has(name) && !known.has(name) && isValue(name));
  return added === undefined ? undefined : { part, name: added };
}

/** The names of the variables, or channels, that a log writes; undefined where it writes anything without saying which. */
function writtenIn(events: readonly RunEvent[], part: Part): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const event of events) {
    const place = placeOf(event);
    if (place === undefined) return undefined;
    if (place.part === part) names.add(place.name);
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
  // An empty text is no word: the row about shapes says so.
  if (end === undefined || status === '' || !isOwnWord(status)) return undefined;
  const source = sourceOf(fork.fork.sourceRunId, among);
  if (source === undefined || endOf(eventsOf(source)) !== end || member(source.snapshot, 'status') !== end)
    return undefined;
  return {
    expected: `/status ${shown(end)} in the snapshot of ${named(fork)}, as in that of ${named(source)}: both logs end so`,
    actual: shown(status),
    code: 'snapshot-other-end',
  };
}
