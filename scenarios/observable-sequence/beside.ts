import { isDeepStrictEqual } from 'node:util';
import { sequenceOf, type Shown } from '../../src/host/log/shown.ts';
import { isRecord, isReduced } from '../../src/host/run-event.ts';
import type { RecordedReading } from './logs.ts';

/** Members of an event that readings are compared by, whichever way they were read. */
const COMPARED: ReadonlySet<string> = new Set(
  'eventId type sequence seq nodeId runId causationId payload data'.split(' '),
);

/** What hosts call further clocks, which may tell the time of the reading; the time of the event is `timestamp`. */
const FURTHER_CLOCK = /(?:[a-z\d]At|_at|[tT]ime|_timestamp|Timestamp|^ts)$/u;

/** A member of an event that stands beside these, and is another one in another reading. */
export interface Beside {
  /** The event's place in the reading, from 1 on. */
  readonly at: number;
  readonly name: string;
  readonly a: unknown;
  readonly b: unknown;
}

/**
 * What two readings over one transport show otherwise beside what is compared anyway: an event that was written once, and is read twice
 * in one way, is the same (replay.md, Why). Other transports may spell it otherwise.
 */
export function besideIn(one: RecordedReading, other: RecordedReading): readonly Beside[] {
  const [own, others] = [one, other].map(byNumber);
  return one.events.flatMap((event, index) => {
    const number = sequenceOf(event);
    const again = own?.get(number) === event ? others?.get(number) : undefined;
    return again === undefined ? [] : differing(event, again).map((found) => ({ at: index + 1, ...found }));
  });
}

/** The events of a reading by their numbers: of those that share one nobody can tell which is which in another reading. */
function byNumber({ events }: RecordedReading): ReadonlyMap<number | undefined, Shown | undefined> {
  const found = new Map<number | undefined, Shown | undefined>();
  for (const event of events) found.set(sequenceOf(event), found.has(sequenceOf(event)) ? undefined : event);
  return found;
}

function differing({ data: one }: Shown, { data: other }: Shown): readonly Omit<Beside, 'at'>[] {
  if (!isRecord(one) || !isRecord(other) || isReduced(one) || isReduced(other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names
    .filter((name) => !COMPARED.has(name) && !FURTHER_CLOCK.test(name))
    .map((name) => ({ name, a: one[name] ?? null, b: other[name] ?? null }))
    .filter(({ a, b }) => !isDeepStrictEqual(a, b));
}
