import { compareEvents, readVolatile } from '../../src/event-log/index.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, isAboutReplay, rawOf } from './compare-runs.ts';
import type { RunObservation } from './run-observation.ts';

/** How a replay's log stands to its source's, by the harness's own comparison. */
export interface Partings {
  /** Whether both are alike, replay.* events left out. */
  readonly isSame: boolean;
  /** The sequence numbers by which the first parting may be called, in the source's or the replay's count. */
  readonly first: ReadonlySet<number>;
  /** The same for all partings; undefined where there are more than were kept. */
  readonly all: ReadonlySet<number> | undefined;
  /** Whether they part by nothing but events that one of them alone has. */
  readonly isByAddition: boolean;
  /** Events of the two logs, replay.* events left out. */
  readonly counts: { readonly source: number; readonly replay: number };
}

/**
 * Compares two logs; a text says why they cannot be compared. What a host adds of its own to the events of a replay counts for
 * `verbatim` only.
 */
export function partingsOf(
  source: RunObservation,
  replay: RunObservation,
  volatile: readonly string[],
  how: 'plainly' | 'verbatim' = 'plainly',
): Partings | string {
  const [before, after] = [plainEvents(source), plainEvents(replay)];
  if (before.length === 0) return 'the log of the source is empty';
  const places = readVolatile(volatile);
  const executedFrom = how === 'plainly' ? (replay.fork?.fromSeq ?? 0) : undefined;
  // The events of a replay may name its source.
  const ids = { sourceRunId: source.runId ?? undefined, replayRunId: replay.runId ?? undefined };
  const rules = { ...ids, executedFrom, ...(places.ok && { volatile: places.places }) };
  const result = compareEvents(rawOf(before), rawOf(after), rules);
  if (!result.ok) return `the log of the ${result.side}, ${result.at}: ${result.message}`;
  const { first, eventDiffs, eventDiffsTruncated } = result.diff;
  const shifted = shiftIn(replay);
  const counts = { source: before.length, replay: after.length };
  if (first === undefined) return { isSame: true, first: new Set(), all: new Set(), isByAddition: false, counts };
  const heads = [first.event.source?.raw, first.event.replay?.raw];
  const reported = eventsOf(replay).find(({ type }) => type === 'replay.diverged')?.sequence;
  const firsts = [...heads.flatMap((raw) => namesOf(raw, shifted)), ...atSameIndex(before, after, heads)];
  const firstNames = new Set([...firsts, ...(reported === undefined ? [] : [reported])]);
  const others = eventDiffs.flatMap(({ aEvent, bEvent }) => [aEvent, bEvent].flatMap((raw) => namesOf(raw, shifted)));
  const all = eventDiffsTruncated ? undefined : new Set([...firstNames, ...others]);
  const isByAddition = !eventDiffsTruncated && eventDiffs.every(({ op }) => op !== 'changed');
  return { isSame: false, first: firstNames, all, isByAddition, counts };
}

function plainEvents(run: RunObservation): readonly RunEvent[] {
  return eventsOf(run).filter((event) => !isAboutReplay(event));
}

/** How many replay.* events stand before a sequence number: a host may count without them. */
function shiftIn(replay: RunObservation): (sequence: number) => number {
  const own = eventsOf(replay).filter(isAboutReplay);
  return (sequence) => own.filter((event) => event.sequence < sequence).length;
}

function namesOf(raw: unknown, shifted: (sequence: number) => number): readonly number[] {
  const sequence = readRunEvent(raw)?.sequence;
  return sequence === undefined ? [] : [sequence, sequence - shifted(sequence)];
}

/** Up to the first parting the logs are pairs, so a host that compares place by place names what stands there on either side. */
function atSameIndex(
  before: readonly RunEvent[],
  after: readonly RunEvent[],
  [source, replay]: readonly unknown[],
): readonly number[] {
  const inSource = before.findIndex(({ raw }) => raw === source);
  const index = inSource >= 0 ? inSource : after.findIndex(({ raw }) => raw === replay);
  return [before[index]?.sequence, after[index]?.sequence].filter((sequence) => sequence !== undefined);
}
