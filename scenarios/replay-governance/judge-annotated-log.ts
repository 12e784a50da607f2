import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { shareIds } from '../shared/event-ids.ts';
import { runOf } from '../shared/judge-run.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { sequenceOf, typeOf, type ReadingObservation, type Shown } from '../shared/reading.ts';
import { annotatedAt, holds, type AnnotatedObservation } from './annotating.ts';
import { notSeen } from './not-seen.ts';

const ANNOTATED = 'run.annotated';

type Reading = Recorded<ReadingObservation>;
type Made = Recorded<AnnotatedObservation>;

/** Whose logs are judged, and the annotations that were made by then. */
interface LogRow {
  readonly check: string;
  readonly roles: readonly string[];
  readonly moments: readonly string[];
}

/** Judges that annotations are in no log, and move nothing in one (replay.md, Annotations and fork). */
export function judgeLog(observations: readonly Recorded<Observation>[], row: LogRow): Judgement {
  const { check, roles, moments } = row;
  const made = moments.flatMap((when) => annotatedAt(observations, when) ?? []);
  const refused = made.find(({ problem }) => problem !== null);
  const done = made.filter(({ problem }) => problem === null);
  if (done.length === 0) return undecided(check, refused?.problem ?? 'no run was annotated', made);
  const evidence: { readonly id: string }[] = [...done];
  let open: Judgement | undefined;
  for (const role of roles) {
    const run = runOf(observations, role);
    const readings = readingsOf(observations, role);
    open ??= notSeen(check, [run]);
    if (run === undefined || run.problem !== null) continue;
    const wrong = wrongIn({ run, before: readingsOf(observations, beforeOf(role)), readings, made: done });
    if (wrong !== undefined) return failing(check, wrong.mismatch, [wrong.reading, run, ...done]);
    if (sharesEventIds(readings)) open ??= undecided(check, `events of ${named(run)} share their eventId`, [run]);
    if (readings.length === 0) open ??= undecided(check, `no reading gave the log of ${named(run)}`, [run]);
    evidence.push(run, ...readings);
  }
  if (open !== undefined) return open;
  if (refused !== undefined) return passing(check, evidence, `not annotated: ${refused.problem ?? ''}`);
  return passing(check, evidence);
}

function readingsOf(observations: readonly Recorded<Observation>[], role: string): readonly Reading[] {
  return observations.filter((each): each is Reading => each.type === 'reading' && (each as Reading).run === role);
}

interface Looked {
  readonly run: SeenRun;
  /** Readings from before the annotation. */
  readonly before: readonly Reading[];
  readonly readings: readonly Reading[];
  readonly made: readonly Made[];
}

interface Wrong {
  readonly reading: Reading;
  readonly mismatch: Difference;
}

function wrongIn(looked: Looked): Wrong | undefined {
  const streams = looked.readings.filter(({ transport }) => transport === 'sse');
  for (const reading of looked.readings) {
    const found = reading.events.find((event) => isAnnotation(event, looked.made));
    // A stream may bring a live notification, but not a second time to somebody who comes later.
    const live = reading.transport === 'sse' && !streams.every((each) => hasAnnotation(each, looked.made));
    if (found === undefined || live || (reading.transport === 'sse' && streams.length < 2)) continue;
    return { reading, mismatch: annotationFound(found, reading, looked.run) };
  }
  for (const reading of looked.readings) {
    const moved = movedIn(looked, reading);
    if (moved !== undefined) return { reading, mismatch: moved };
  }
  return undefined;
}

function hasAnnotation({ events }: Reading, made: readonly Made[]): boolean {
  return events.some((event) => isAnnotation(event, made));
}

function isAnnotation(event: Shown, made: readonly Made[]): boolean {
  return typeOf(event) === ANNOTATED || made.some((each) => holds(event.data, each));
}

function annotationFound(event: Shown, reading: Reading, run: SeenRun): Difference {
  const at = sequenceOf(event);
  const where = `${at === undefined ? 'without a number' : `at sequence ${at}`} of ${named(run)}, read by ${reading.transport}`;
  return {
    expected: `no ${ANNOTATED} in the log: an annotation is a resource beside the run`,
    actual: `${typeOf(event) ?? 'an event'} ${where}: ${shown(event.data)}`,
    diagnosis: { code: 'annotation-in-log', message: 'an annotation was written into a log or replayed from one' },
  };
}

/** The name under which the readings of a run before its annotation are recorded. */
export function beforeOf(role: string): string {
  return `${role} before`;
}

/** Whether a reading shows two events under one id: none of them can be found again in another reading. */
function sharesEventIds(readings: readonly Reading[]): boolean {
  return readings.some(({ events }) => shareIds(events.flatMap(numbered).map(([, event]) => event)));
}

/** An event that has another number than before, read in the same way. */
function movedIn({ run, before }: Looked, reading: Reading): Difference | undefined {
  if (sharesEventIds([reading])) return undefined;
  const earlier = before.filter(({ transport }) => transport === reading.transport);
  const known = new Map(earlier.flatMap(({ events }) => events.flatMap(numbered)));
  const moved = reading.events.flatMap(numbered).find(([eventId, { sequence }]) => {
    const number = known.get(eventId)?.sequence;
    return number !== undefined && number !== sequence;
  });
  if (moved === undefined) return undefined;
  const [eventId, event] = moved;
  return {
    expected: `${event.type} at sequence ${known.get(eventId)?.sequence ?? ''} of ${named(run)}, as before it was annotated`,
    actual: `sequence ${event.sequence}, read by ${reading.transport}`,
    diagnosis: { code: 'annotation-moves-events', message: 'events have other numbers since the run was annotated' },
  };
}

function numbered({ data }: Shown): readonly (readonly [eventId: string, event: RunEvent])[] {
  const event = readRunEvent(data);
  return event === undefined ? [] : [[event.eventId, event]];
}
