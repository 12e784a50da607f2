import {
  fail,
  isOutcome,
  type Mistake,
  type Outcome,
  pass,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import { sequenceOf, type Shown, typeOf } from '../../src/host/log/shown.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { shareIds } from '../shared/read-event.ts';
import type { RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { evidenceOf, openOf } from '../shared/settle.ts';
import {
  annotatedAt,
  type AnnotatedObservation,
  type Annotating,
  beforeOf,
  holds,
  leftUnmade,
  shownAnnotation,
} from './annotating.ts';
import { wrong } from './diagnoses.ts';
import { neededRun } from './needed.ts';

const ANNOTATED = 'run.annotated';

type Reading = Recorded<ReadingObservation>;
type Made = Recorded<AnnotatedObservation>;

/** Whose logs are judged, the annotations that were made by then, and those that the run's own list must show. */
interface LogRow {
  readonly roles: readonly string[];
  readonly moments: readonly string[];
  readonly controls: readonly Annotating[];
}

/** Judges that annotations are in no log, and move nothing in one (replay.md, Annotations and fork). */
export function judgeLog(recorded: Recordings, { roles, moments, controls }: LogRow): Outcome {
  const annotated = moments.flatMap((when) => annotatedAt(recorded, when) ?? []);
  const refused = annotated.find(({ problem }) => problem !== null);
  const made = annotated.filter(({ problem }) => problem === null);
  if (made.length === 0) return leftUnannotated(recorded, roles, refused);
  const outcomes = roles.map((role): Outcome => {
    const run = neededRun(recorded, role);
    if (isOutcome(run)) return run;
    const [before, readings] = [readingsOf(recorded, beforeOf(role)), readingsOf(recorded, role)];
    const found = wrongIn({ run, before, readings, made });
    if (found !== undefined) return found;
    if (sharesEventIds(readings))
      return undecidedUntil('give each event an id of its own', `events of ${named(run)} share their eventId`, [run]);
    if (readings.length === 0)
      return undecidedUntil(
        'answer GET of its events with a stream, or with JSON',
        `no reading gave the log of ${named(run)}`,
        [run],
      );
    return pass([run, ...readings]);
  });
  const notShown = controls.map((control) => shownAnnotation(recorded, control)).filter(isOutcome);
  const note = refused === undefined ? undefined : `not annotated: ${refused.problem ?? ''}`;
  return openOf([...outcomes, ...notShown]) ?? pass([...made, ...outcomes.flatMap(evidenceOf)], note);
}

/** Nothing was annotated: no run was seen, or the host took no annotation. */
function leftUnannotated(recorded: Recordings, [role = 'run']: readonly string[], refused: Made | undefined): Outcome {
  const run = neededRun(recorded, role);
  if (refused === undefined) return isOutcome(run) ? run : undecided('no run was annotated', [run]);
  return isOutcome(run) && refused.exchanges.length === 0 ? run : leftUnmade(refused);
}

function readingsOf(recorded: Recordings, role: string): readonly Reading[] {
  return ofType<ReadingObservation>(recorded, 'reading').filter(({ run }) => run === role);
}

interface Looked {
  readonly run: RecordedRun;
  /** Readings from before the annotation. */
  readonly before: readonly Reading[];
  readonly readings: readonly Reading[];
  readonly made: readonly Made[];
}

function wrongIn(looked: Looked): Outcome | undefined {
  const { run, readings, made } = looked;
  const streams = readings.filter(({ transport }) => transport === 'sse');
  // A stream may bring a live notification, but not a second time to somebody who comes later.
  const isRepeated = streams.length > 1 && streams.every((each) => annotationIn(each, made) !== undefined);
  for (const reading of readings) {
    const found = annotationIn(reading, made);
    if (found === undefined || (reading.transport === 'sse' && !isRepeated)) continue;
    return fail(annotationFound(found, reading, run), [reading, run, ...made]);
  }
  for (const reading of readings) {
    const moved = movedIn(looked, reading);
    if (moved !== undefined) return fail(moved, [reading, run, ...made]);
  }
  return undefined;
}

function annotationIn({ events }: Reading, made: readonly Made[]): Shown | undefined {
  return events.find((event) => typeOf(event) === ANNOTATED || made.some((each) => holds(event.data, each)));
}

function annotationFound(event: Shown, reading: Reading, run: RecordedRun): Mistake {
  const at = sequenceOf(event);
  const where = `${at === undefined ? 'without a number' : `at sequence ${at}`} of ${named(run)}, read by ${reading.transport}`;
  return {
    expected: `no ${ANNOTATED} in the log: an annotation is a resource beside the run`,
    actual: `${typeOf(event) ?? 'an event'} ${where}: ${shown(event.data)}`,
    diagnosis: wrong('annotation-in-log'),
  };
}

/** Whether a reading shows two events under one id: none of them can be found again in another reading. */
function sharesEventIds(readings: readonly Reading[]): boolean {
  return readings.some(({ events }) => shareIds(events.flatMap(numbered).map(([, event]) => event)));
}

/** An event that has another number than before, read in the same way. */
function movedIn({ run, before }: Looked, reading: Reading): Mistake | undefined {
  if (sharesEventIds([reading])) return undefined;
  const earlier = before.filter(({ transport }) => transport === reading.transport);
  const known = new Map(earlier.flatMap(({ events }) => events.flatMap(numbered)));
  for (const [eventId, { sequence, type }] of reading.events.flatMap(numbered)) {
    const number = known.get(eventId)?.sequence;
    if (number === undefined || number === sequence) continue;
    return {
      expected: `${type} at sequence ${number} of ${named(run)}, as before it was annotated`,
      actual: `sequence ${sequence}, read by ${reading.transport}`,
      diagnosis: wrong('annotation-moves-events'),
    };
  }
  return undefined;
}

function numbered({ data }: Shown): readonly (readonly [eventId: string, event: RunEvent])[] {
  const event = readRunEvent(data);
  return event === undefined ? [] : [[event.eventId, event]];
}
