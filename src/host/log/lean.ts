import type { RunEvent } from '../run-event.ts';

/** What a whole event need not have (wire-contract, Documents), and a stream's may lack where a list shows it (SSE: a reduced object). */
const MEMBERS = ['causationId', 'nodeId'] as const;
/** Types of events that may be about no node. */
const NODELESS = /^(?:run|variable|replay|log)\./u;

/** What is known of a host's streams, over a whole conformance run: every run is not to be read twice. */
export interface Lean {
  /** Whether lists have shown more than a stream. */
  isLean: boolean;
  /** What events lacked in lists as well: a member and their type. */
  readonly plain: Set<string>;
}

export function createLean(): Lean {
  return { isLean: false, plain: new Set() };
}

/** What an event lacks that others of its kind have; what caused the first one need not be an event. */
export function lackedBy(event: RunEvent, isFirst: boolean): readonly string[] {
  return MEMBERS.filter(
    (name) => event[name] === undefined && (name === 'nodeId' ? !NODELESS.test(event.type) : !isFirst),
  ).map((name) => `${name} ${event.type}`);
}

/** Whether lists may show what a stream's events lack. */
export function isOpen({ isLean, plain }: Lean, lacked: ReadonlySet<string>): boolean {
  return [...lacked].some((each) => isLean || !plain.has(each));
}

/** A stream's events, those of them as a list shows them which lack something there that the list shows; undefined where there are none. */
export function filled(streamed: readonly RunEvent[], listed: readonly RunEvent[]): readonly RunEvent[] | undefined {
  const known = new Map(listed.map((event) => [event.sequence, event]));
  const whole = streamed.map((event) => {
    const same = known.get(event.sequence);
    if (same === undefined || same.eventId !== event.eventId) return event;
    return MEMBERS.some((name) => event[name] === undefined && same[name] !== undefined) ? same : event;
  });
  return whole.some((event, at) => event !== streamed[at]) ? whole : undefined;
}
