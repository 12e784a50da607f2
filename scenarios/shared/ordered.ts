import type { Json } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { eventsOf, isAboutReplay } from './compare-runs.ts';
import { isDisordered } from './numbers-note.ts';
import type { RunObservation } from './run-observation.ts';

/**
 * The events of a log whose numbers go back or repeat, with unique ones that increase: in the order of their numbers where each has
 * its own and the end stays last, else as they came, counted anew. What speaks about the replay stays as it is: that it stands before
 * the end, by its number too, is a row of its own (refusal.precedes-failure). Undefined where nothing is to be mended.
 */
export function ordered(run: Pick<RunObservation, 'events'>): readonly Json[] | undefined {
  const all = eventsOf(run);
  const events = all.filter((event) => !isAboutReplay(event));
  if (!isDisordered({ events })) return undefined;
  const mended = mend(events).values();
  return all.map((event) => (isAboutReplay(event) ? (event.raw as Json) : (mended.next().value ?? null)));
}

function mend(events: readonly RunEvent[]): readonly Json[] {
  const sorted = events.toSorted((a, b) => a.sequence - b.sequence);
  if (isDisordered({ events: sorted })) return numbered(events, counted(events));
  const isEndLast = sorted.slice(0, -1).every((event) => !endsRun(event));
  if (isEndLast) return sorted.map(({ raw }) => raw as Json);
  const numbers = sorted.map(({ sequence }) => sequence);
  return numbered(events, numbers);
}

/** A number for each event: its own where that stands above the one before, else the next. */
function counted(events: readonly RunEvent[]): readonly number[] {
  let last = -Infinity;
  return events.map(({ sequence }) => (last = Math.max(sequence, last + 1)));
}

function numbered(events: readonly RunEvent[], numbers: readonly number[]): readonly Json[] {
  return events.map(({ raw, sequence }, at) =>
    numbers[at] === sequence ? (raw as Json) : { ...Object(raw), sequence: numbers[at] ?? sequence },
  );
}
