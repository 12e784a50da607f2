import type { Json } from '../../src/evidence/types.ts';
import { compareEvents } from '../../src/event-log/index.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { comparePrefixes, eventsOf, prefixesOf, rawOf } from '../shared/compare-runs.ts';
import { isDisordered } from '../shared/numbers-note.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { counterpartsOf, namesIn, renamed } from '../shared/renamed.ts';
import { lengthOfHistory } from './history-length.ts';

/**
 * A fork's events with its source's history in the place of its own, under the names that the fork gave them; undefined where the two
 * are alike, and where what differs is a recorded fact, which has a row of its own (replay.recorded-facts-verbatim). What the fork
 * executed stays, and so does its snapshot: they show what else is wrong.
 */
export function withHistoryOf(source: RunObservation, fork: RunObservation): readonly Json[] | undefined {
  const fromSeq = fork.fork?.fromSeq ?? 0;
  const { below, inherited } = prefixesOf(source, fork, fromSeq);
  const events = eventsOf(fork);
  if (below.length === 0 || events.length === 0) return undefined;
  if (comparePrefixes(source, fork, fromSeq).kind !== 'different') return undefined;
  const compared = compareEvents(rawOf(below), rawOf(inherited), { numbers: 'gaps' });
  if (compared.ok && compared.diff.first?.class === 'regenerated-fact') return undefined;
  const above = eventsOf(source).filter((event) => event.sequence >= fromSeq);
  const length = lengthOfHistory(below, above, events);
  const names = namesIn([source, below], [fork, inPlaceOf(below, events.slice(0, length))]);
  const executed = events.slice(length);
  const shift = isDisordered({ events }) ? 0 : roomFor(below, executed);
  return [
    ...rawOf(below).map((event) => renamed(event, names)),
    ...rawOf(executed).map((event) => numberedFurther(event, shift)),
  ];
}

/** For each event, the other that stands for it: the one at its place, or the next of its type and node where some are missing or too many. */
function inPlaceOf(events: readonly RunEvent[], others: readonly RunEvent[]): readonly (RunEvent | undefined)[] {
  if (events.length === others.length) return others;
  const counterparts = counterpartsOf(events, others);
  return events.map((event) => counterparts.get(event));
}

/** By how much the numbers of what follows have to go up where a history of so many numbers does not fit before it. */
function roomFor(below: readonly RunEvent[], executed: readonly RunEvent[]): number {
  const [last, next] = [below.at(-1), executed.at(0)];
  return last === undefined || next === undefined ? 0 : Math.max(0, last.sequence + 1 - next.sequence);
}

function numberedFurther(event: Json, shift: number): Json {
  const { sequence } = Object(event) as { readonly sequence?: unknown };
  return shift === 0 || typeof sequence !== 'number' ? event : { ...Object(event), sequence: sequence + shift };
}
