import { member } from '../../src/contract/discovery.ts';
import { compareEvents, readVolatile } from '../../src/event-log/index.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, isAboutReplay, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { nodeOf } from '../shared/read-event.ts';

/** Where a report of a divergence may point: events of the two logs at, or right beside, a real difference. */
export interface Places {
  readonly source: readonly RunEvent[];
  readonly replay: readonly RunEvent[];
}

/**
 * Finds where two logs differ. Beside the differing events themselves these are all events of their nodes, and, as an
 * event that only one log has does not stand in the other, its neighbours there. What was declared volatile is no
 * difference.
 */
export function differingPlaces(
  source: RunObservation,
  replay: RunObservation,
  volatile: readonly string[],
): Places | undefined {
  const read = readVolatile(volatile);
  const executedFrom = replay.fork?.fromSeq ?? 0;
  const rules = { executedFrom, ...(read.ok && { volatile: read.places }) };
  const compared = compareEvents(source.events, replay.events, rules);
  if (!compared.ok || compared.diff.eventDiffs.length === 0) return undefined;
  const { eventDiffs } = compared.diff;
  const before = eventDiffs.flatMap(({ aEvent }) => readRunEvent(aEvent) ?? []);
  const after = eventDiffs.flatMap(({ bEvent }) => readRunEvent(bEvent) ?? []);
  const [ours = [], theirs = []] = [source, replay].map((run) => eventsOf(run).filter((each) => !isAboutReplay(each)));
  const removed = new Set(eventDiffs.flatMap(({ op, aEvent }) => (op === 'removed' ? [idOf(aEvent)] : [])));
  const added = new Set(eventDiffs.flatMap(({ op, bEvent }) => (op === 'added' ? [idOf(bEvent)] : [])));
  const nodes = new Set([...before, ...after].map(nodeOf).filter((nodeId) => nodeId !== undefined));
  return {
    source: near({ log: ours, own: removed }, { differing: before, nodes, gaps: gapsFor({ log: theirs, own: added }) }),
    replay: near({ log: theirs, own: added }, { differing: after, nodes, gaps: gapsFor({ log: ours, own: removed }) }),
  };
}

function idOf(event: unknown): string {
  return readRunEvent(event)?.eventId ?? '';
}

/** A log, and the ids of the events that it alone has. */
interface Side {
  readonly log: readonly RunEvent[];
  readonly own: ReadonlySet<string>;
}

/** For each event that the other log lacks: after how many common events it stands. */
function gapsFor({ log, own }: Side): readonly number[] {
  const gaps: number[] = [];
  let common = 0;
  for (const { eventId } of log) {
    if (own.has(eventId)) gaps.push(common);
    else common += 1;
  }
  return gaps;
}

interface Difference {
  readonly differing: readonly RunEvent[];
  readonly nodes: ReadonlySet<string>;
  readonly gaps: readonly number[];
}

function near({ log, own }: Side, { differing, nodes, gaps }: Difference): readonly RunEvent[] {
  const ids = new Set(differing.map(({ eventId }) => eventId));
  const common = log.filter(({ eventId }) => !own.has(eventId));
  const neighbours = new Set(gaps.flatMap((gap) => [common[gap - 1], common[gap]]));
  return log.filter((event) => neighbours.has(event) || ids.has(event.eventId) || nodes.has(nodeOf(event) ?? ''));
}

/** What one report says about where the runs part. */
export interface Located {
  /** True when at least one locator points at a place where the logs differ. */
  readonly isRight: boolean;
  /** The locators as they stand in the payload; none where the report has no locator at all. */
  readonly given: readonly string[];
}

/** The two runs whole, in which every locator has to be found. */
export interface Logs {
  readonly source: RunObservation;
  readonly replay: RunObservation;
}

/**
 * The locators of a report that lead nowhere: the id of an event that its log does not have, a number beyond the end of both logs,
 * another source run. No document says what a `divergencePoint` counts, and what is empty or negative names nothing.
 */
function nowhere(report: RunEvent, { source, replay }: Logs): readonly string[] {
  const [ours, theirs] = [eventsOf(source), eventsOf(replay)];
  const past = Math.max(...[ours, theirs].map((log) => Math.max(log.length, log.at(-1)?.sequence ?? 0))) + 1;
  const locators: readonly (readonly [name: string, isNowhere: (value: unknown) => boolean])[] = [
    ['originalEventId', (value) => isLost(ours, value)],
    ['replayEventId', (value) => isLost([...ours, ...theirs], value)],
    ['atSequence', (value) => typeof value === 'number' && value > past],
    ['sourceRunId', (value) => isText(value) && value !== source.runId],
  ];
  return locators.flatMap(([name, isNowhere]) => {
    const value = member(report.payload, name);
    return isNowhere(value) ? [`${name} ${shown(value)}`] : [];
  });
}

/**
 * The events that a report names and at which nothing differs. One locator that is right is enough (readings, Replay), so that
 * this is advice; numbers are left out, since no document says what they count.
 */
export function beside(report: RunEvent, { source, replay }: Logs, places: Places): string | undefined {
  const sides = [
    ['originalEventId', source, places.source],
    ['replayEventId', replay, places.replay],
  ] as const;
  const wrong = sides.flatMap(([name, run, right]) => {
    const value = member(report.payload, name);
    const event = eventsOf(run).find(({ eventId }) => eventId === value);
    if (event === undefined || isAboutReplay(event) || right.some(({ eventId }) => eventId === value)) return [];
    return [`${name} sequence ${event.sequence}, ${event.type}`];
  });
  if (wrong.length === 0) return undefined;
  return `advisory: the report at sequence ${report.sequence} names as ${wrong.join(' and as ')}, where nothing differs`;
}

/** The members of each of the two forms of a report. */
const FORMS = [
  ['originalEventId', 'replayEventId', 'divergencePoint'],
  ['sourceRunId', 'atSequence'],
] as const;

/**
 * What a report leaves out of the form that it has most of, where it has neither whole, and its locators that lead nowhere. One locator
 * that is right is enough (readings, Replay): this is advice.
 */
export function unnamed(report: RunEvent, logs: Logs): string | undefined {
  const lacking = FORMS.map((form) => form.filter((name) => (member(report.payload, name) ?? null) === null));
  const [least = []] = lacking.toSorted((one, other) => one.length - other.length);
  const lost = nowhere(report, logs);
  const notes = [
    ...(least.length === 0 ? [] : [`says nothing of ${least.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`names what is nowhere: ${lost.join(', ')}`]),
  ];
  return notes.length === 0 ? undefined : `the report at sequence ${report.sequence} ${notes.join(', and ')}`;
}

function isLost(log: readonly RunEvent[], value: unknown): boolean {
  return isText(value) && log.every(({ eventId }) => eventId !== value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/**
 * Reads the locators of a replay.diverged in either form (readings, Replay): `originalEventId`, `replayEventId` and
 * `divergencePoint`, or `sourceRunId` and `atSequence`. Sequence numbers may count in either log.
 */
export function locate(report: RunEvent, places: Places, sourceRunId: string | null): Located {
  const { payload } = report;
  const sequences = new Set([...places.source, ...places.replay].map(({ sequence }) => sequence));
  const isSource = [undefined, null, sourceRunId].includes(member(payload, 'sourceRunId') as string | null);
  const locators: readonly (readonly [string, (value: unknown) => boolean])[] = [
    ['originalEventId', (value) => places.source.some(({ eventId }) => eventId === value)],
    ['replayEventId', (value) => places.replay.some(({ eventId }) => eventId === value)],
    ['divergencePoint', (value) => pointsAt(value, sequences)],
    ['atSequence', (value) => isSource && pointsAt(value, sequences)],
  ];
  const given = locators.flatMap(([name, resolves]) => {
    const value = member(payload, name);
    return value === undefined || value === null ? [] : [{ text: `${name} ${shown(value)}`, isRight: resolves(value) }];
  });
  return { isRight: given.some(({ isRight }) => isRight), given: given.map(({ text }) => text) };
}

function pointsAt(value: unknown, sequences: ReadonlySet<number>): boolean {
  return typeof value === 'number' && sequences.has(value);
}
