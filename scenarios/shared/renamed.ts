import type { Json } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import type { RunObservation } from './run-observation.ts';

/** What the names of a source are in its fork: its run's id, and its events' by place, each name once. */
export function namesIn(
  [source, before]: readonly [RunObservation, readonly RunEvent[]],
  [fork, after]: readonly [RunObservation, readonly (RunEvent | undefined)[]],
): ReadonlyMap<unknown, Json> {
  const names = new Map<unknown, Json>([[source.runId, fork.runId]]);
  const given = new Set<string>();
  for (const [index, { eventId }] of before.entries()) {
    const own = after[index]?.eventId ?? eventId;
    if (!given.has(own)) names.set(eventId, own);
    given.add(own);
  }
  return names;
}

/** A value whose texts have other names where there are some; what holds none of them stays the same value. */
export function renamed(value: Json, names: ReadonlyMap<unknown, Json>): Json {
  if (typeof value !== 'object' || value === null) return names.get(value) ?? value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => renamed(item, names));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const members = Object.entries(value);
  const others = members.map(([name, member]) => [name, renamed(member, names)] as const);
  return others.every(([, member], at) => member === members[at]?.[1]) ? value : Object.fromEntries(others);
}

/**
 * Pairs the events of two logs: the n-th event of a type and node with the n-th such event of the other log. Places alone would not do: an
 * additional node shifts them. Where no node is told, those that say the same are paired first.
 */
export function counterpartsOf(
  events: readonly RunEvent[],
  others: readonly RunEvent[],
  isNodeTold = true,
): ReadonlyMap<RunEvent, RunEvent> {
  if (isNodeTold) return paired(events, others, ({ type, nodeId }) => JSON.stringify([type, nodeId]));
  const alike = paired(events, others, ({ type, payload }) => JSON.stringify([type, payload]));
  const taken = new Set(alike.values());
  const left = events.filter((event) => !alike.has(event));
  const among = others.filter((other) => !taken.has(other));
  return new Map([...alike, ...paired(left, among, ({ type }) => type)]);
}

function paired(
  events: readonly RunEvent[],
  others: readonly RunEvent[],
  kindOf: (event: RunEvent) => string,
): ReadonlyMap<RunEvent, RunEvent> {
  const left = new Map<string, RunEvent[]>();
  // The last one of a list is taken at no cost.
  for (const other of others.toReversed()) {
    const alike = left.get(kindOf(other));
    if (alike === undefined) left.set(kindOf(other), [other]);
    else alike.push(other);
  }
  return new Map(
    events.flatMap((event) => {
      const counterpart = left.get(kindOf(event))?.pop();
      return counterpart === undefined ? [] : [[event, counterpart] as const];
    }),
  );
}
