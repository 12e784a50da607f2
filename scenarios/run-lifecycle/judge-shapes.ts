import { fail, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { faultsIn } from '../../src/contract/validate.ts';
import { copyPacked } from '../../src/evidence/pack.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { runIdsAgain } from '../../src/runner/shared-runs.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { isRun } from '../shared/every-run.ts';
import { misshapenText, placesIn, type Misshapen } from '../shared/misshapen.ts';
import { ofType } from '../shared/of-type.ts';
import { accepted, requestsOf } from '../shared/requested.ts';
import type { Beside, UrlObservation } from './answer-faults.ts';
import { wrong } from './diagnoses.ts';
import { ANSWER_ROW, type GivenAnswer, givenIn } from './given-answer.ts';
import { questionsIn } from './fork-questions.ts';
import { beginningsIn } from './event-links.ts';
import { originsIn } from './named-run.ts';
import { parentsIn } from './snapshot-names.ts';
import { type Around, isInterrupt, NOTE_ROW, plainRunsIn, sentIn, type Shape } from './sent.ts';

/** Which source defines a member: one of the four documents, or the wire alone. */
export type Source = 'documents' | 'wire';

/** The members that the four documents define; all others are the wire's alone. */
const DEFINED: Readonly<Partial<Record<Shape, readonly string[]>>> = {
  // 0041 §C.2
  'run-snapshot': ['status'],
  // replay.md, Endpoint and Failure surfaces; 0037 §B
  'run-event': ['eventId', 'type', 'sequence', 'seq', 'causationId'],
  // replay.md, Response
  'fork-answer': ['runId', 'sourceRunId', 'fromSeq', 'mode', 'status', 'eventsUrl'],
};

/** What was found of one shape, by one source. */
interface Found {
  wrong: number;
  readonly first: (Misshapen & { readonly id: string; readonly fault: Beside })[];
  places: readonly string[];
  /** A few observations that hold such documents. */
  readonly evidence: Set<string>;
}

/** What was found of every shape. */
export interface AllFound {
  readonly found: ReadonlyMap<string, Found>;
  /** Where no run counts: why the first one that was driven does not. */
  readonly noRun: string | undefined;
}

/** How many places are shown, and how many observations are named. */
const SHOWN = 3;

/** Holds everything that the host sent against its shape, once for all rows. */
export function seeShapes(recorded: readonly Recorded<Observation>[], { everything }: Judging): AllFound {
  const found = new Map<string, Found>();
  const of = (shape: Shape, source: Source): Found => {
    const key = keyOf(shape, source);
    const known = found.get(key) ?? { wrong: 0, first: [], places: [], evidence: new Set<string>() };
    found.set(key, known);
    return known;
  };
  const observations = all(recorded, everything);
  const plain = plainRunsIn(observations);
  const runs = observations.filter((each) => isRun(each));
  const hasSharedIds = runIdsAgain(observations).length > 0;
  const origins = originsIn(runs);
  const sources = new Set<string | null>(origins.values());
  let byRun: ReturnType<typeof idsByRun> | undefined;
  const logs = (): ReturnType<typeof idsByRun> => (byRun ??= idsByRun(observations));
  const around: Around = {
    hasSharedIds,
    otherRunWith: findingRuns(logs),
    mayBeOf: (runId, eventId) => logs().get(String(runId))?.has(String(eventId)) ?? true,
    origins,
    parents: parentsIn(runs),
    beginnings: hasSharedIds ? new Map() : beginningsIn(runs),
    questions: questionsIn(runs.filter(({ runId, events }) => sources.has(runId) && events.some(isInterrupt))),
    takesAnswers: requestsOf(observations, ANSWER_ROW).some(accepted),
    takesNotes: requestsOf(observations, NOTE_ROW).some(accepted),
    given: hasSharedIds ? new Map() : givenTo(observations),
  };
  for (const observation of observations) {
    for (const { shape, what, beside = [], ...sent } of sentIn(observation, plain, around)) {
      const faults: readonly Beside[] = [
        ...('value' in sent ? faultsIn(`wire#${shape}`, sent.value, 'sent') : []),
        ...beside,
      ];
      const isHollow = 'value' in sent && isEmpty(sent.value);
      for (const source of ['documents', 'wire'] as const) {
        const known = of(shape, source);
        if (known.evidence.size < SHOWN) known.evidence.add(observation.id);
        const own = faults.filter(({ pointer, isOfWire }) => (isOfWire ? 'wire' : sourceOf(shape, pointer)) === source);
        // Of a document that holds nothing at all, what the documents define says it.
        if (source === 'wire' && isHollow && own.length < faults.length) continue;
        const [fault] = own;
        if (fault === undefined) continue;
        known.places = placesOf(own, known.places);
        known.wrong += 1;
        if (known.first.length < SHOWN) known.first.push({ id: observation.id, what: what(), fault });
      }
    }
  }
  const noRun = runs.some(({ problem }) => problem === null) ? undefined : runs[0]?.problem;
  return { found, noRun: noRun ?? undefined };
}

/** The places of faults; that of a status is the status itself, so that no more rests on another row than what is answered so there, too. */
function placesOf(faults: readonly Beside[], known: readonly string[]): readonly string[] {
  const places = placesIn(
    faults.filter(({ isStatus }) => isStatus !== true),
    known,
  );
  const statuses = faults.flatMap(({ isStatus, wrong: what }) =>
    isStatus === true ? [`/${STATUS.exec(what)?.[0] ?? ''}`] : [],
  );
  return [...new Set([...places, ...statuses])];
}

const STATUS = /\b\d{3}\b/u;

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** The answers that runs took, where they were recorded as they were given. */
function givenTo(observations: Everything): Around['given'] {
  const given = new Map<string, GivenAnswer>();
  for (const each of ofType<UrlObservation>(observations, 'asked')) {
    const answer = 'answer' in each ? givenIn(each) : undefined;
    if (answer !== undefined && each.runId !== undefined) given.set(each.runId, answer);
  }
  return given;
}

/** Finds another run by its events, among those that were read to their ends in any scenario. */
function findingRuns(logs: () => ReturnType<typeof idsByRun>): Around['otherRunWith'] {
  return (eventIds, runId) => {
    const own = logs().get(runId);
    if (own === undefined || eventIds.some((id) => own.has(id))) return undefined;
    return [...logs()].find(([, ids]) => eventIds.some((id) => ids.has(id)))?.[0];
  };
}

/** The ids of the events in the log of each run. */
function idsByRun(observations: Everything): ReadonlyMap<string, ReadonlySet<string>> {
  const logs = new Map<string, Set<string>>();
  for (const run of observations.filter((each) => isRun(each))) {
    if (run.runId === null || run.problem !== null) continue;
    const ids = logs.get(run.runId) ?? new Set();
    logs.set(run.runId, ids);
    for (const { eventId } of eventsOf(run)) ids.add(eventId);
  }
  return logs;
}

/** A document's own place counts as the wire's: a value of another kind has no member at all. */
function sourceOf(shape: Shape, pointer: string): Source {
  return DEFINED[shape]?.includes(pointer.split('/')[1] ?? '') === true ? 'documents' : 'wire';
}

function keyOf(shape: Shape, source: Source): string {
  return `${shape} ${source}`;
}

/** What the scenario itself recorded, and what all others did. */
function all(recorded: readonly Recorded<Observation>[], everything: Everything): Everything {
  const own = new Set(recorded.map(({ id }) => id));
  return [
    ...recorded.map((each) => copyPacked(each, { scenario: '' })),
    ...everything.filter(({ id }) => !own.has(id)),
  ];
}

/** Every document of these shapes fits: all that was sent, in whatever suite. */
export function judgeShapes({ found, noRun }: AllFound, shapes: readonly Shape[], source: Source): Outcome {
  const known = shapes.flatMap((shape) => found.get(keyOf(shape, source)) ?? []);
  const first = known.flatMap((each) => each.first);
  const count = known.reduce((sum, each) => sum + each.wrong, 0);
  if (count > 0) {
    const places = [...new Set(known.flatMap((each) => each.places))];
    const isStatus = first.every(({ fault }) => fault.isStatus === true);
    const expected = isStatus
      ? 'the status that the wire has for it'
      : `what schemas/wire.schema.json says under ${shapes.map((shape) => `$defs/${shape}`).join(', ')}`;
    const diagnosis = wrong(isStatus ? 'other-status' : 'other-shape');
    const mismatch = { expected, actual: misshapenText(first, count), diagnosis, places };
    return fail(mismatch, [...new Set(first.map(({ id }) => id))]);
  }
  const evidence = [...new Set(known.flatMap((each) => [...each.evidence]))];
  if (evidence.length > 0) return pass(evidence);
  const name = shapes.join(' or ');
  if (!shapes.some((shape) => ALWAYS_SENT.has(shape)))
    return notApplicable(`the host sent nothing of the shape ${name} about a run that could be read`, []);
  const why = noRun === undefined ? '' : `, as no run counts: ${noRun}`;
  return undecided(`nothing of the shape ${name} was looked at${why}`, []);
}

/** What every host sends that runs anything; all else it need not offer. */
const ALWAYS_SENT: ReadonlySet<Shape> = new Set(['run-answer', 'run-snapshot', 'run-event', 'error-envelope']);
