import type { RunEvent } from '../../src/host/run-event.ts';
import type { Chain, Handoff } from './chain.ts';
import { type Decision, isOfTheSchema, type Transition } from './transition.ts';

/** Where links of a run lead: each is found in one step, however long its log is. */
export interface Places {
  /** By their ids. */
  readonly events: ReadonlyMap<string, RunEvent>;
  readonly decisions: ReadonlyMap<string, Decision>;
  /** The decisions that name a worker. */
  readonly naming: ReadonlyMap<string, ReadonlySet<Decision>>;
  /** The last decision to go on with a worker before an event, by that one's number. */
  readonly before: ReadonlyMap<number, Decision | undefined>;
  /** The handoffs, by the ids of their last transition and of the phases of the host's own behind it. */
  readonly ends: ReadonlyMap<string, HandoffEnd>;
}

/** The number of the last transition of a handoff. */
interface HandoffEnd {
  readonly handoff: Handoff;
  readonly sequence: number;
}

/** The places of a chain whose events share no ids. */
export function placesOf({ events, decisions, handoffs }: Chain): Places {
  return {
    events: new Map(events.map((event) => [event.eventId, event])),
    decisions: new Map(decisions.map((decision) => [decision.event.eventId, decision])),
    naming: namingOf(decisions),
    before: beforeOf(events, new Map(decisions.map((decision) => [decision.event, decision]))),
    ends: new Map(handoffs.flatMap(endsOf)),
  };
}

function namingOf(decisions: readonly Decision[]): ReadonlyMap<string, ReadonlySet<Decision>> {
  const naming = new Map<string, Set<Decision>>();
  for (const decision of decisions) {
    for (const worker of decision.workers) {
      const known = naming.get(worker) ?? new Set();
      naming.set(worker, known.add(decision));
    }
  }
  return naming;
}

function beforeOf(
  events: readonly RunEvent[],
  decisions: ReadonlyMap<RunEvent, Decision>,
): ReadonlyMap<number, Decision | undefined> {
  const before = new Map<number, Decision | undefined>();
  let last: Decision | undefined;
  for (const event of events) {
    if (!before.has(event.sequence)) before.set(event.sequence, last);
    const decision = decisions.get(event);
    if (decision?.kind === 'next-worker') last = decision;
  }
  return before;
}

function endsOf(handoff: Handoff): readonly (readonly [eventId: string, end: HandoffEnd])[] {
  const { transitions } = handoff;
  const last = transitions.findLastIndex(({ phase }) => isOfTheSchema(phase));
  if (last === -1) return [];
  const sequence = transitions[last]?.event.sequence ?? Infinity;
  return transitions.slice(last).map(({ event }) => [event.eventId, { handoff, sequence }] as const);
}

/** What the links of one handoff are followed by. */
export interface HandoffPlaces {
  readonly handoff: Handoff;
  readonly byId: ReadonlyMap<string, Transition>;
  readonly byPhase: ReadonlyMap<string, readonly Transition[]>;
  /** What caused a phase of the host's own, or another one before that which is none; undefined where nothing did. */
  readonly behind: ReadonlyMap<string, string | undefined>;
}

/** The places of a handoff. */
export function placesWithin(handoff: Handoff): HandoffPlaces {
  const byPhase = new Map<string, Transition[]>();
  for (const transition of handoff.transitions) {
    const known = byPhase.get(transition.phase);
    if (known === undefined) byPhase.set(transition.phase, [transition]);
    else known.push(transition);
  }
  const byId = new Map(handoff.transitions.map((transition) => [transition.event.eventId, transition]));
  return { handoff, byId, byPhase, behind: causesBehind(handoff) };
}

/** Follows each phase of the host's own once: what was followed before is not followed again, and a ring leads nowhere. */
function causesBehind({ transitions }: Handoff): ReadonlyMap<string, string | undefined> {
  const own = transitions.filter(({ phase }) => !isOfTheSchema(phase));
  const causes = new Map(own.map(({ event }) => [event.eventId, event.causationId]));
  const behind = new Map<string, string | undefined>();
  for (const start of causes.keys()) {
    const way: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && causes.has(at) && !behind.has(at)) {
      behind.set(at, undefined);
      way.push(at);
      at = causes.get(at);
    }
    const found: string | undefined = at !== undefined && causes.has(at) ? behind.get(at) : at;
    for (const each of way) behind.set(each, found);
  }
  return behind;
}

/** The event that caused one of a handoff, phases of the host's own in between left out: they are transitions too. */
export function causeBeyond({ behind }: HandoffPlaces, { causationId }: RunEvent): string | undefined {
  return causationId !== undefined && behind.has(causationId) ? behind.get(causationId) : causationId;
}
