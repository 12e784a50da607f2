import { member } from '../../src/contract/discovery.ts';
import { compareEvents, readVolatile } from '../../src/event-log/index.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, isAboutReplay, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { nodeOf } from '../shared/node-of.ts';

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
  const places = read.ok ? { volatile: read.places } : {};
  const compared = compareEvents(source.events, replay.events, places);
  if (!compared.ok || compared.diff.eventDiffs.length === 0) return undefined;
  const { eventDiffs } = compared.diff;
  const before = eventDiffs.flatMap(({ aEvent }) => readRunEvent(aEvent) ?? []);
  const after = eventDiffs.flatMap(({ bEvent }) => readRunEvent(bEvent) ?? []);
  const [ours, theirs] = [eventsOf(source), eventsOf(replay)].map((log) => log.filter((each) => !isAboutReplay(each)));
  const removed = new Set(eventDiffs.flatMap(({ op, aEvent }) => (op === 'removed' ? [idOf(aEvent)] : [])));
  const added = new Set(eventDiffs.flatMap(({ op, bEvent }) => (op === 'added' ? [idOf(bEvent)] : [])));
  const nodes = new Set([...before, ...after].flatMap((event) => nodeOf(event) ?? []));
  return {
    source: near(ours ?? [], { differing: before, nodes, besides: gaps(theirs ?? [], added), own: removed }),
    replay: near(theirs ?? [], { differing: after, nodes, besides: gaps(ours ?? [], removed), own: added }),
  };
}

function idOf(event: unknown): string {
  return readRunEvent(event)?.eventId ?? '';
}

/** For each event that the other log lacks: after how many common events it stands. */
function gaps(log: readonly RunEvent[], single: ReadonlySet<string>): ReadonlySet<number> {
  const found = new Set<number>();
  let common = 0;
  for (const { eventId } of log) {
    if (single.has(eventId)) found.add(common);
    else common += 1;
  }
  return found;
}

interface Near {
  readonly differing: readonly RunEvent[];
  readonly nodes: ReadonlySet<string>;
  readonly besides: ReadonlySet<number>;
  /** Events that only this log has: they do not count among the common ones. */
  readonly own: ReadonlySet<string>;
}

function near(log: readonly RunEvent[], { differing, nodes, besides, own }: Near): readonly RunEvent[] {
  const ids = new Set(differing.map(({ eventId }) => eventId));
  let common = 0;
  return log.filter((event) => {
    const isCommon = !own.has(event.eventId);
    const isBeside = isCommon && (besides.has(common) || besides.has(common + 1));
    if (isCommon) common += 1;
    const nodeId = nodeOf(event);
    return isBeside || ids.has(event.eventId) || (nodeId !== undefined && nodes.has(nodeId));
  });
}

/** What one report says about where the runs part. */
export interface Located {
  /** True when at least one locator points at a place where the logs differ. */
  readonly isRight: boolean;
  /** The locators as they stand in the payload; none where the report has no locator at all. */
  readonly given: readonly string[];
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
