import type { Json, Observation } from '../../src/evidence/types.ts';
import { isTerminal, typeOf, type Shown } from '../../src/host/log/shown.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsPath, pollPath, runPath } from '../../src/protocol/paths.ts';
import { isEnded } from '../../src/protocol/run-status.ts';
import { isServerError } from '../../src/protocol/status.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isRun } from './every-run.ts';
import { startPublic } from './first-run.ts';
import { ofType, type Recordings } from './of-type.ts';
import { readOver, type ReadingObservation } from './reading.ts';
import type { Source } from './requested-fork.ts';
import { sendRequest, type RequestedObservation, statusOf } from './requested.ts';
import { isObserved, readAgain, type RunObservation } from './run-observation.ts';
import { statusIn } from './snapshot.ts';

/** A source that is read before its forks and after them: the roles of its runs, and the row of requests that show how it is answered. */
export interface Twice {
  readonly source: string;
  readonly again: string;
  readonly row: string;
}

/** The role of a source that is read once more, after its forks. */
export const SOURCE_AGAIN = 'source again';

/** The one source of a scenario. */
export const SOURCE_TWICE: Twice = { source: 'source', again: SOURCE_AGAIN, row: 'source-read' };

/** Reads a source before its forks, past the end at which it is left where it is followed. */
export async function readBefore(probe: Probe, source: Source): Promise<readonly ReadingObservation[]> {
  return readPastEnd(probe, source, 'start');
}

/** Reads a source after its forks: followed once more, and past its end; where it is not seen any more, how it is answered. */
export async function readAfter(probe: Probe, source: Source): Promise<readonly Observation[]> {
  const again = await readAgain(probe, source, { role: SOURCE_AGAIN });
  return [again, ...(await readBeside(probe, source, { again, row: SOURCE_TWICE.row }))];
}

/** What is read of a source beside following it once more: past its end, and, where it is not seen any more, how it is answered. */
export async function readBeside(
  probe: Probe,
  source: Source,
  { again, row }: { readonly again: RunObservation; readonly row: string },
): Promise<readonly (ReadingObservation | RequestedObservation)[]> {
  const past = await readPastEnd(probe, source, 'again');
  // One that is followed over its stream may not be listed any more.
  const isSeen = again.problem === null && again.snapshot !== null && past.length > 0;
  const others = past.some(showsMore) ? await readUnforked(probe) : [];
  return [...past, ...others, ...(isSeen ? [] : await requestAnew(probe, source, row))];
}

/** The row of requests that show how a run that is not forked is answered, where a source's readings fail. */
export const UNFORKED_ROW = 'unforked-read';

/** How each reading of a run is answered; one over which the host stumbles is requested again for a while, and beside it one of a run that is not forked. */
async function requestAnew(probe: Probe, source: Source, row: string): Promise<readonly RequestedObservation[]> {
  const requested = await repeatPaced(
    () => requestUnobserved(probe, source, row),
    (answers) => !answers.some(isStumbledOver),
    { patienceMs: LATE_MS, signal: probe.signal },
  );
  if (!requested.some(isStumbledOver)) return requested;
  const run = await startPublic(probe, UNFORKED);
  return isObserved(run) ? [...requested, ...(await requestUnobserved(probe, run, UNFORKED_ROW))] : requested;
}

function isStumbledOver(answer: RequestedObservation): boolean {
  return isServerError(statusOf(answer));
}

/** The role of a run that is not forked: what stands behind its end comes without forks. */
const UNFORKED = 'run that is not forked';

/** How long something behind the end of a run is waited for, and that readings do not fail any more. */
const LATE_MS = 2000;

/** A run that is not forked, read until something stands behind its end. */
async function readUnforked(probe: Probe): Promise<readonly ReadingObservation[]> {
  const run = await startPublic(probe, UNFORKED);
  if (!isObserved(run)) return [];
  return repeatPaced(
    () => readPastEnd(probe, run, 'again'),
    (past) => past.some(showsMore),
    { patienceMs: LATE_MS, signal: probe.signal },
  );
}

function showsMore({ events }: Pick<ReadingObservation, 'events'>): boolean {
  return pastEnd(events).length > 0;
}

/** Readings of runs that are not forked, and have something behind their ends. */
export function lateUnforked(recorded: Recordings): readonly Recorded<ReadingObservation>[] {
  return ofType<ReadingObservation>(recorded, 'reading').filter((each) => each.run === UNFORKED && showsMore(each));
}

/** The role of a child whose log is read past its end. */
const CHILD = 'child of a handoff';

/** Reads the log of a child that has ended, past its end. */
export async function readChildPastEnd(probe: Probe, runId: string): Promise<readonly ReadingObservation[]> {
  return readPastEnd(probe, { role: CHILD, runId }, 'again');
}

/** The role of a run that was cancelled while its tool was asked, read past its end when that has answered. */
const CANCELLED = 'run that was cancelled before its tool answered';

/** Reads the log of such a run past its end. */
export async function readCancelledPastEnd(probe: Probe, runId: string): Promise<readonly ReadingObservation[]> {
  return readPastEnd(probe, { role: CANCELLED, runId }, 'again');
}

/** Readings of children, and of cancelled runs, that have something behind their ends. */
export function lateOthers(recorded: Recordings): readonly Recorded<ReadingObservation>[] {
  return ofType<ReadingObservation>(recorded, 'reading').filter(
    (each) => [CHILD, CANCELLED].includes(each.run) && showsMore(each),
  );
}

/** The role of the same child after replays of its parent. */
const CHILD_AGAIN = 'child of a handoff, after replays of that';

/** Reads children past their ends once more, after replays of their parent. */
export async function readChildrenAgain(
  probe: Probe,
  before: readonly Observation[],
): Promise<readonly ReadingObservation[]> {
  const children = before.filter((each) => isReading(each)).filter(({ run }) => run === CHILD);
  return (
    await Promise.all(children.map(({ runId }) => readPastEnd(probe, { role: CHILD_AGAIN, runId }, 'again')))
  ).flat();
}

/** The readings of children that had ended before replays of their parent and after them, in one way. */
export function childrenReadTwice(recorded: Recordings): readonly ReadTwice[] {
  const readings = ofType<ReadingObservation>(recorded, 'reading').filter(({ cut }) => cut !== true);
  const ended = readings.filter(({ run, events }) => run === CHILD && events.some(isTerminal));
  return readings
    .filter(({ run }) => run === CHILD_AGAIN)
    .flatMap((after) => {
      const before = ended.find(({ runId }) => runId === after.runId);
      return before === undefined || !isReadAlike(before, after) ? [] : [{ before, after }];
    });
}

function isReadAlike(a: ReadingObservation, b: ReadingObservation): boolean {
  return a.transport === b.transport && a.partial === b.partial;
}

/** How each reading of a run is answered. */
async function requestUnobserved(
  { host }: Probe,
  { runId }: Source,
  row: string,
): Promise<readonly RequestedObservation[]> {
  const readings = Object.entries({ snapshot: runPath(runId), json: eventsPath(runId), poll: pollPath(runId) });
  const headers = { accept: 'application/json' };
  return Promise.all(
    readings.map(async ([name, path]) => sendRequest(host, path, { row, name, method: 'GET', headers })),
  );
}

/** Documents alone: they are whole at once, where a stream may stay open. */
async function readPastEnd(
  probe: Probe,
  { role, runId }: Pick<Source, 'role' | 'runId'>,
  how: ReadingObservation['how'],
): Promise<readonly ReadingObservation[]> {
  const reading = await readOver(probe, ['json', 'poll'], { run: role, runId, how });
  return reading === undefined ? [] : [reading];
}

/** A source with its end as it was read before its forks, and after them. */
export interface ReadTwice {
  readonly before: Recorded<ReadingObservation>;
  readonly after: Recorded<ReadingObservation>;
}

/** What stands behind the end of a source after its forks, and did not before. */
export interface Added extends ReadTwice {
  readonly events: readonly Shown[];
}

/** The reading of a source before its forks, where it showed the end. */
export function readingBefore(recorded: Recordings, source: string): Recorded<ReadingObservation> | undefined {
  const reading = readingOf(recorded, source, 'start');
  return reading?.events.some(isTerminal) === true ? reading : undefined;
}

/** Whether a source was read past its end after its forks. */
export function isReadAgain(recorded: Recordings, source: string): boolean {
  return readingOf(recorded, source, 'again') !== undefined;
}

/** Undefined where the end of the source was not read before, or the same way shows nothing after. */
export function readTwice(recorded: Recordings, source: string): ReadTwice | undefined {
  const before = readingBefore(recorded, source);
  const after = readingOf(recorded, source, 'again');
  if (before === undefined || after === undefined) return undefined;
  return isReadAlike(before, after) ? { before, after } : undefined;
}

function readingOf(
  recorded: Recordings,
  source: string,
  how: ReadingObservation['how'],
): Recorded<ReadingObservation> | undefined {
  return ofType<ReadingObservation>(recorded, 'reading').find(
    (each) => each.run === source && each.how === how && each.cut !== true,
  );
}

/** Undefined where nothing was added, or the end of the source was not read before. */
export function addedPastEnd(recorded: Recordings, source = SOURCE_TWICE.source): Added | undefined {
  const read = readTwice(recorded, source);
  if (read === undefined) return undefined;
  const events = pastEnd(read.after.events).slice(pastEnd(read.before.events).length);
  return events.length === 0 ? undefined : { ...read, events };
}

function pastEnd(events: readonly Shown[]): readonly Shown[] {
  const end = events.findIndex(isTerminal);
  return end === -1 ? [] : events.slice(end + 1);
}

/** A log without what forks add behind the end of their source: events of these types there. Undefined where none stands there. */
export function withoutAdded(
  observation: Recorded<Observation>,
  { events: added }: Added,
): { readonly events: readonly unknown[] } | undefined {
  const types = new Set(added.map(typeOf));
  const cut = <E>(events: readonly E[], read: (event: E) => Shown) => {
    const end = events.findIndex((event) => isTerminal(read(event)));
    const kept = events.filter((event, index) => end === -1 || index <= end || !types.has(typeOf(read(event))));
    return kept.length === events.length ? undefined : { events: kept };
  };
  if (isRun(observation)) return cut(observation.events, shownAs);
  return isReading(observation) ? cut(observation.events, (event) => event) : undefined;
}

/** Whether a source has no end any more after its forks, which it had before. */
export function isEndLost(recorded: Recordings, source = SOURCE_TWICE.source): boolean {
  const read = readTwice(recorded, source);
  return read !== undefined && !read.after.events.some(isTerminal);
}

/** The log of a run with the end that it had where it was followed, or that its snapshot tells of; undefined where it has one, or none was ever seen. */
export function withEndOf(
  observation: Recorded<Observation>,
  beside: readonly Recorded<Observation>[],
): { readonly events: readonly unknown[] } | undefined {
  const isFollowed = isRun(observation);
  if (!isFollowed && !isReading(observation)) return undefined;
  const { runId } = observation;
  const end =
    beside
      .filter((each) => isRun(each))
      .filter((each) => runId !== null && each.runId === runId)
      .flatMap(({ events }) => events.map(shownAs))
      .find(isTerminal) ?? (isFollowed ? reportedEnd(observation) : undefined);
  const shown = isFollowed ? observation.events.map(shownAs) : observation.events;
  if (end === undefined || shown.length === 0 || shown.some(isTerminal)) return undefined;
  return { events: [...observation.events, isFollowed ? end.data : end] };
}

/** The end of a run that was seen only to go on, by its snapshot. */
function reportedEnd({ events, snapshot }: RunObservation): Shown | undefined {
  const [status, last] = [statusIn(snapshot), readRunEvent(events.at(-1))];
  if (!isEnded(status) || status === undefined || last === undefined) return undefined;
  const { eventId, sequence } = last;
  return shownAs({ eventId: `${eventId}-end`, type: `run.${status}`, sequence: sequence + 1, payload: {} });
}

function shownAs(data: Json): Shown {
  return { id: null, name: null, data };
}

function isReading<O extends Observation>(observation: O): observation is O & ReadingObservation {
  return observation.type === 'reading';
}
