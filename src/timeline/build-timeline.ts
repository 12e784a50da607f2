import { present } from '../contract/present.ts';
import { createFold, type LogEvent, placeOf, plainState, readEvents } from '../event-log/index.ts';
import { endOf, kindOfStatus } from '../protocol/run-status.ts';
import type { EventFilter, StateChange, Timeline, TimelineEvent } from '../report/view/timeline/model.ts';
import type { Logged } from '../report/view/build-comparison.ts';

/** Events on one page. */
const PAGE = 250;
/** Lanes; further nodes share the last one. */
const MOST_LANES = 14;
/** Different types and nodes that the filters offer. */
const MOST_CHOICES = 200;

/** What of a log is asked for. */
export interface TimelineQuery {
  readonly filter: EventFilter;
  /** The sequence number or the event id to jump to. */
  readonly at?: string;
  /** The first sequence number of the page. */
  readonly from?: number;
}

/**
 * A run's log as the view shows it, each event with the change of state that it makes: the page that holds what was asked for,
 * else the first one, of a run that goes on the last one.
 */
export function buildTimeline({ head, events }: Logged, { filter, at, from }: TimelineQuery): Timeline {
  const read = readEvents(events);
  const log = read.ok ? read.events : [];
  const all = withStates(log);
  const matching = all.filter((event) => lets(filter, event));
  const chosen =
    at === undefined ? undefined : all.find(({ sequence, eventId }) => eventId === at || String(sequence) === at);
  const shown = chosen === undefined || lets(filter, chosen) ? matching : all;
  const last = log.at(-1)?.sequence;
  const isLive = endOf(log) === undefined && kindOfStatus(head.status) === 'open';
  const start = pageOf(shown, chosen?.sequence ?? from ?? (isLive ? last : undefined));
  const page = shown.slice(start, start + PAGE);
  return {
    run: head,
    lanes: lanesOf(log),
    events: page,
    ...(last === undefined ? {} : { last }),
    total: log.length,
    matching: matching.length,
    pages: {
      ...(start > 0 ? { before: shown[Math.max(0, start - PAGE)]?.sequence ?? 0 } : {}),
      ...(start + PAGE < shown.length ? { after: shown[start + PAGE]?.sequence ?? 0 } : {}),
    },
    filter: shown === matching ? filter : {},
    choices: choicesOf(log),
    isLive,
    ...(chosen === undefined ? {} : { opened: statesAround(log, chosen.sequence) }),
    ...(at !== undefined && chosen === undefined ? { notFound: at } : {}),
    ...(read.ok ? {} : { unreadable: `${read.at}: ${read.message}` }),
  };
}

function lets({ type, node, kind }: EventFilter, event: TimelineEvent): boolean {
  if (type !== undefined && event.type !== type) return false;
  if (node !== undefined && event.nodeId !== node) return false;
  return kind === undefined || kindOf(event.type) === kind;
}

function kindOf(type: string): string {
  return type.split('.', 1)[0] ?? type;
}

/** The index of the page's first event: pages begin at the log's first event, so that they stay where they are. */
function pageOf(events: readonly TimelineEvent[], sequence: number | undefined): number {
  if (sequence === undefined) return 0;
  const index = events.findIndex((event) => event.sequence >= sequence);
  return Math.floor(Math.max(index === -1 ? events.length - 1 : index, 0) / PAGE) * PAGE;
}

/** The events, each with what it changes, its lane and the lanes at work. */
function withStates(log: readonly LogEvent[]): readonly TimelineEvent[] {
  const fold = createFold();
  const lanes = new Map(lanesOf(log).map((name, index) => [name, index]));
  const last = Math.max(0, lanes.size - 1);
  const laneOf = (nodeId: string | undefined): number => (nodeId === undefined ? 0 : (lanes.get(nodeId) ?? last));
  const first = Date.parse(timestampOf(log[0]) ?? '');
  const active = new Set<number>();
  return log.map((event): TimelineEvent => {
    const lane = laneOf(event.nodeId);
    if (event.type === 'node.started' || event.type === 'node.resumed') active.add(lane);
    const change = changeBy(fold, event);
    const timestamp = timestampOf(event);
    const offsetMs = Date.parse(timestamp ?? '') - first;
    const shown = {
      ...event,
      ...present({ timestamp, offsetMs: Number.isNaN(offsetMs) ? undefined : offsetMs, change }),
      lane,
      active: [...active],
    };
    if (/^node\.(?:completed|failed|skipped|suspended)$/u.test(event.type)) active.delete(lane);
    return shown;
  });
}

/** Applies an event and gives the one place at which it has changed the state. */
function changeBy(fold: ReturnType<typeof createFold>, event: LogEvent): StateChange | undefined {
  const place = placeOf(event);
  const before = place === undefined ? undefined : fold.at(place);
  fold.apply(event);
  if (place === undefined) return undefined;
  const after = fold.at(place);
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  return { place: place.part === 'status' ? 'status' : `${place.part}.${place.name}`, before, after };
}

function timestampOf(event: LogEvent | undefined): string | undefined {
  const timestamp = event?.raw['timestamp'];
  return typeof timestamp === 'string' ? timestamp : undefined;
}

/** The run's own lane, then its nodes' in the order of their first events. */
function lanesOf(log: readonly LogEvent[]): readonly string[] {
  const nodes = [...new Set(log.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [nodeId])))];
  const most = MOST_LANES - 1;
  return ['run', ...(nodes.length <= most ? nodes : [...nodes.slice(0, most - 1), 'other nodes'])];
}

function choicesOf(log: readonly LogEvent[]): Timeline['choices'] {
  const types = [...new Set(log.map(({ type }) => type))].toSorted().slice(0, MOST_CHOICES);
  const nodes = [...new Set(log.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [nodeId])))];
  const kinds = [...new Set(types.map(kindOf))];
  return { types, nodes: nodes.slice(0, MOST_CHOICES), kinds };
}

function statesAround(log: readonly LogEvent[], sequence: number): NonNullable<Timeline['opened']> {
  const fold = createFold();
  let before = fold.state();
  for (const event of log) {
    before = event.sequence === sequence ? fold.state() : before;
    fold.apply(event);
    if (event.sequence === sequence) break;
  }
  return { sequence, before: plainState(before), after: plainState(fold.state()) };
}
