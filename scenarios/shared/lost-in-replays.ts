import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { compareEvents } from '../../src/event-log/index.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, isAboutReplay, prefixesOf, rawOf } from './compare-runs.ts';
import { isRun, sourceAmong } from './every-run.ts';
import type { RunObservation } from './run-observation.ts';
import { withoutMaking } from './telemetry.ts';

/** What no replay shows of what it executed: events of a type, or a member of their payloads as its source has it. */
export interface Lost {
  readonly type: string;
  readonly member?: string;
}

/** A run and a replay of it. */
export interface Replayed<Run extends RunObservation = RunObservation> {
  readonly source: Run;
  readonly replay: Run;
}

/** The events that write values: the member that names a value, and the part of a snapshot that shows it. */
export const WRITTEN: ReadonlyMap<string, { readonly named: string; readonly part: string }> = new Map([
  ['variable.changed', { named: 'name', part: 'variables' }],
  ['channel.written', { named: 'channel', part: 'channels' }],
]);

/** What so many workflows show, and no replay of them, is lost in replays as such; what fewer show may be those workflows' own. */
export const FEWEST_WORKFLOWS = 3;

/**
 * What most of these workflows show and none of their replays does, where the workflows are `fewest` or more. Undefined where
 * there is nothing like that.
 */
export function lostInAll(
  pairs: readonly Replayed[],
  members: readonly string[],
  fewest = FEWEST_WORKFLOWS,
): Lost | undefined {
  const workflows = new Set(pairs.map(({ source }) => source.role));
  const seen = pairs.map((pair) => ({ workflow: pair.source.role, ...showing(pair, members) }));
  const isLost = (fact: string): boolean => {
    if (seen.some(({ kept }) => kept.has(fact))) return false;
    const shown = new Set(seen.flatMap((each) => (each.shown.has(fact) ? [each.workflow] : []))).size;
    return shown >= fewest && shown * 2 >= workflows.size;
  };
  const types = new Set(pairs.flatMap(({ source }) => eventsOf(source).map(({ type }) => type)));
  for (const type of types) {
    if (isLost(factOf(type))) return { type };
    const lost = members.find((name) => isLost(factOf(type, name)));
    if (lost !== undefined) return { type, member: lost };
  }
  return undefined;
}

/** How events are taken out of a log: with what caused others left as it is (`takingOut`), or not (`leavingOut`). */
type Leave = (events: readonly Json[], isLeftOut: (event: Json) => boolean) => readonly Json[];

/** The type of events that the history of a fork lacks, and the fork shows nowhere, where it lacks no more than that. */
export function lostInHistory({ source, replay }: Replayed): (Lost & { readonly leave: Leave }) | undefined {
  const below = prefixesOf(source, replay, replay.fork?.fromSeq ?? 0).below.filter((event) => !isAboutReplay(event));
  const own = eventsOf(replay).filter((event) => !isAboutReplay(event));
  const shown = new Set(own.map(({ type }) => type));
  const [type, ...more] = new Set(below.map((event) => event.type).filter((each) => !shown.has(each)));
  if (type === undefined || more.length > 0) return undefined;
  const ids = { sourceRunId: source.runId ?? undefined, replayRunId: replay.runId ?? undefined };
  const leave = [takingOut, leavingOut].find((each) => {
    const left = each(rawOf(below), (event) => readRunEvent(event)?.type === type);
    const compared = compareEvents(left, rawOf(own.slice(0, left.length)), { numbers: 'gaps', ...ids });
    return compared.ok && compared.diff.first === undefined;
  });
  return leave && { type, leave };
}

function factOf(type: string, name = ''): string {
  return `${name} ${type}`;
}

/**
 * The types of events, and the members of their payloads, that a run shows of what its replay executed; and which of them the replay
 * keeps: a type by any event, a member by one that has it as the source's has that stands at the same place among those of its
 * node. Each event is looked at once, however long the logs are.
 */
function showing(pair: Replayed, members: readonly string[]) {
  const [shown, kept] = [new Set<string>(), new Set<string>()];
  const known = new Map<string, RunEvent>();
  const placed = placing();
  for (const event of executed(pair.source, pair)) {
    known.set(placed(event), event);
    shown.add(factOf(event.type));
    for (const name of members) if (has(event, name)) shown.add(factOf(event.type, name));
  }
  const placedAgain = placing();
  for (const event of executed(pair.replay, pair)) {
    const counterpart = known.get(placedAgain(event));
    kept.add(factOf(event.type));
    for (const name of members) if (isAlike(event, counterpart, name)) kept.add(factOf(event.type, name));
  }
  return { shown, kept };
}

/** Names the place of each event among those of its type and node. */
function placing(): (event: RunEvent) => string {
  const counts = new Map<string, number>();
  return ({ type, nodeId }) => {
    const group = JSON.stringify([type, nodeId]);
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return `${count} ${group}`;
  };
}

function isAlike(event: RunEvent, counterpart: RunEvent | undefined, name: string): boolean {
  if (counterpart === undefined || !has(event, name)) return false;
  const [own, theirs] = [event, counterpart].map(({ payload }) =>
    withoutMaking((member(payload, name) ?? null) as Json),
  );
  return has(counterpart, name) && isDeepStrictEqual(own, theirs);
}

/** What a run of a pair shows of the part that its replay executed, what speaks about the replay left out. */
export function executed(run: RunObservation, { source, replay }: Replayed): readonly RunEvent[] {
  const start = replay.fork?.fromSeq ?? 0;
  const history = eventsOf(source).filter((event) => event.sequence < start && !isAboutReplay(event));
  // Events about the replay shift the numbers behind them.
  return eventsOf(run)
    .filter((event) => !isAboutReplay(event))
    .slice(history.length);
}

function has({ payload }: RunEvent, name: string): boolean {
  return isRecord(payload) && Object.hasOwn(payload, name);
}

/** The pairs among these observations. */
export function replayedIn(observations: readonly Recorded<Observation>[]): readonly Replayed[] {
  return observations.filter(isRun).flatMap((replay) => {
    const source = sourceAmong(replay, observations);
    return source === undefined ? [] : [{ source, replay }];
  });
}

/**
 * A run without what is lost, and its snapshot without such values; undefined where neither shows anything of that. What a
 * replay wrote and does not show is named as a cause in it all the same, where nothing else is said.
 */
export function withoutLost(
  { events, snapshot }: Pick<RunObservation, 'events' | 'snapshot'>,
  { type, member: name }: Lost,
  leave: Leave = takingOut,
): Pick<RunObservation, 'events' | 'snapshot'> | undefined {
  const isMeant = (event: Json): boolean => readRunEvent(event)?.type === type;
  const part = WRITTEN.get(type)?.part;
  const shows = isRecord(snapshot) && part !== undefined && Object.keys(Object(snapshot[part])).length > 0;
  if (!shows && !events.some(isMeant)) return undefined;
  const left = isRecord(snapshot) && part !== undefined ? ({ ...snapshot, [part]: {} } as Json) : snapshot;
  if (name === undefined) return { events: leave(events, isMeant), snapshot: left };
  return { events: events.map((event) => (isMeant(event) ? withoutMember(event, name) : event)), snapshot: left };
}

function takingOut(events: readonly Json[], isLeftOut: (event: Json) => boolean): readonly Json[] {
  return events.filter((event) => !isLeftOut(event));
}

/** A log without some of its events; what these caused is caused by what caused them. */
export function leavingOut(events: readonly Json[], isLeftOut: (event: Json) => boolean): readonly Json[] {
  const causes = new Map<Json, Json>();
  return events.flatMap((raw) => {
    const { eventId = null, causationId = null, ...rest } = Object(raw) as Readonly<Record<string, Json>>;
    const cause = causes.get(causationId) ?? causationId;
    if (!isLeftOut(raw)) return [cause === causationId ? raw : { ...rest, eventId, causationId: cause }];
    causes.set(eventId, cause);
    return [];
  });
}

function withoutMember(event: Json, name: string): Json {
  if (!isRecord(event)) return event;
  const kept = (payload: unknown): Json =>
    isRecord(payload)
      ? (Object.fromEntries(Object.entries(payload).filter(([each]) => each !== name)) as Json)
      : (payload as Json);
  const parts = ['payload', 'data'].filter((part) => Object.hasOwn(event, part));
  return { ...event, ...Object.fromEntries(parts.map((part) => [part, kept(event[part])])) };
}
