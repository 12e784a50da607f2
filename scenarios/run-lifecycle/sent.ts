import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { sequenceOf } from '../../src/host/log/shown.ts';
import { isRecord, isUnnamed, type RunEvent } from '../../src/host/run-event.ts';
import {
  isAboutCaller,
  isClientError,
  isNoRoute,
  isServerError,
  isSuccess,
  saysNothing,
} from '../../src/protocol/status.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { CANCEL_ENDED } from '../shared/cancel.ts';
import { childrenNamedIn, nodeOf } from '../shared/read-event.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import { isRun } from '../shared/every-run.ts';
import {
  annotationFaults,
  answerFaults,
  type Beside,
  type OtherRunWith,
  timeFaults,
  urlFaults,
  type UrlObservation,
} from './answer-faults.ts';
import { type Beginnings, forkTimeFaults, linkFaults } from './event-links.ts';
import { forkQuestionFaults, type Questions } from './fork-questions.ts';
import { ANSWER_ROW, givenFaults, type GivenAnswer } from './given-answer.ts';
import { type MayBeOf, isPlain, namedRunFaults, type Origins, otherRunFaults } from './named-run.ts';
import { UNKNOWN_MODE } from './observation.ts';
import { sharedIdFaults } from './shared-ids.ts';
import { forkNameFaults, type Parents, snapshotNameFaults, snapshotTimeFaults } from './snapshot-names.ts';
import { bodyOf, type RequestedObservation, statusOf } from '../shared/requested.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** What an answered interrupt has in common with its question. */
const SAME = ['interruptId', 'kind', 'key'] as const;

/**
 * What the payload of an interrupt says that is not so, by the event's number: another run, another node, another question than the
 * one of its node that was asked before, another answer than was given (wire, Documents). Forks may show their source's payloads (forkQuestionFaults), parents those of their
 * children: nothing is said of these.
 */
function interruptFaults(run: RunObservation, given?: GivenAnswer): ReadonlyMap<number, readonly Fault[]> {
  const events = eventsOf(run);
  if (run.fork !== null || childrenNamedIn(events).length > 0) return new Map();
  const questionOf = questionsInTurn();
  const found = new Map<number, readonly Fault[]>();
  for (const event of events.filter(({ type }) => type === 'interrupt.requested' || type === 'interrupt.resolved')) {
    const question = questionOf(event);
    const wanted: readonly (readonly [name: string, value: unknown])[] = [
      ['runId', run.runId],
      ['nodeId', event.nodeId],
      ...SAME.map((name) => [name, member(question?.payload, name)] as const),
    ];
    const names = wanted.flatMap(([name, value]) => {
      const is = member(event.payload, name);
      const isOther = typeof is === 'string' && typeof value === 'string' && is !== value;
      return isOther ? [{ pointer: `/${name}`, wrong: `is ${shown(is)}, not ${shown(value)}` }] : [];
    });
    const faults = given === undefined ? names : [...names, ...givenFaults(event, run.runId ?? '', given)];
    if (faults.length > 0) found.set(event.sequence, faults);
  }
  return found;
}

/** The questions of one node so far: by their ids the first of each, and the last. */
interface Asked {
  readonly byId: Map<unknown, RunEvent>;
  last: RunEvent;
}

/** Follows a log: gives for each answer the question that it names, or the last one of its node before it where there is no such question. */
function questionsInTurn(): (event: RunEvent) => RunEvent | undefined {
  const asked = new Map<string | undefined, Asked>();
  return (event) => {
    const [node, id] = [nodeOf(event), member(event.payload, 'interruptId')];
    const known = asked.get(node);
    if (event.type !== 'interrupt.requested') return known?.byId.get(id) ?? known?.last;
    if (known === undefined) asked.set(node, { byId: new Map([[id, event]]), last: event });
    else {
      if (!known.byId.has(id)) known.byId.set(id, event);
      known.last = event;
    }
    return undefined;
  };
}

/** The shapes that rows are about: definitions of schemas/wire.schema.json. */
export type Shape =
  | 'run-snapshot'
  | 'run-event'
  | 'run-answer'
  | 'fork-answer'
  | 'error-envelope'
  | 'interrupt'
  | 'annotation'
  | 'annotation-list'
  | 'diff';

/** A document that a host sent. */
export interface Sent {
  readonly shape: Shape;
  /** The document; absent where something else was learned of one that was looked at before. */
  readonly value?: unknown;
  /** What it is and where it stands. */
  readonly what: () => string;
  /** What is wrong with it beside its shape. */
  readonly beside?: readonly Beside[] | undefined;
}

/** What is known beside a document from all that was recorded. */
export interface Around {
  /** Whether two runs have one id: a snapshot may be of either's workflow then. */
  readonly hasSharedIds: boolean;
  readonly otherRunWith: OtherRunWith;
  readonly mayBeOf: MayBeOf;
  readonly origins: Origins;
  readonly parents: Parents;
  readonly beginnings: Beginnings;
  readonly questions: Questions;
  /** The answers that runs took, by the runs that asked. */
  readonly given: ReadonlyMap<string, GivenAnswer>;
  /** Whether the host took an answer to a question. */
  readonly takesAnswers: boolean;
  /** Whether the host took an annotation of the run whose list was read. */
  readonly takesNotes: boolean;
}

/** The row of requests to the places that the answer which made a run names. */
export const URL_ROW = 'run-url';

/** The row of another answer to a question that was answered. */
export const AGAIN_ROW = 'interrupt-answered-again';

/** The rows of answers to a node that there is not, and to a run that was cancelled. */
export const [NO_NODE_ROW, CANCELLED_ROW] = ['interrupt-of-no-node', 'interrupt-cancelled'] as const;

/** What may not be taken of answers to questions, by their rows, each with why not (wire, Endpoints). */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  [AGAIN_ROW]: 'not 409: the question was answered before',
  [NO_NODE_ROW]: 'not 404: the run has no such node',
  [CANCELLED_ROW]: 'not 410 or 422: the run was cancelled',
};

/** The rows of what may not be taken for a run that there is not, each with the shape of what is sent (wire, Endpoints). */
const UNKNOWN_ROWS = {
  'interrupt-refused': 'interrupt',
  'annotate-refused': 'annotation',
  'annotations-refused': 'annotation',
} as const;

/** The rows of an annotation, and of the list of annotations that is read after it. */
export const [NOTE_ROW, LIST_ROW] = ['annotate', 'annotations'] as const;

/** The rows of requests whose answers have a shape of their own, each with that shape. */
const ANSWER_ROWS = { [NOTE_ROW]: 'annotation', [LIST_ROW]: 'annotation-list', diff: 'diff' } as const;

/** The rows of refusals that run.error-envelope is about, and of requests whose route need not be there. */
const JUDGED_ELSEWHERE: ReadonlySet<string> = new Set([
  'no-run',
  'unknown-run',
  'source-read',
  'unforked-read',
  'cancel',
  CANCEL_ENDED,
  'unknown-workflow',
  'known-workflow',
  'resume',
  'reading-of-nobody',
  ANSWER_ROW,
  NO_NODE_ROW,
  CANCELLED_ROW,
  UNKNOWN_MODE,
]);

/** Scenarios in which a host takes data from logs, or another one shows them: payloads may be what is left of them. */
const TAKEN_FROM = /^(?:privacy|retention|region)\./u;

/**
 * The documents that an observation holds: events and snapshots of runs that were read as far as they were waited for, answers that
 * made runs and forks, refusals. Observations hold them whole; a body in an exchange may be cut. Of readings of `plain` runs only
 * what names another run.
 */
export function* sentIn(
  observation: Everything[number],
  plain: ReadonlySet<string | null>,
  around: Around,
): Generator<Sent> {
  const { hasSharedIds, given, origins, parents, questions } = around;
  if (TAKEN_FROM.test(observation.scenario)) return;
  if (isReading(observation)) {
    if (plain.has(observation.runId)) yield* foreignIn(observation);
    return;
  }
  if (observation.type === 'asked' && 'answer' in observation) {
    yield* answersIn(observation as Everything[number] & RequestedObservation, around);
    return;
  }
  const target = observation.type === 'annotated' ? member(observation, 'otherTarget') : undefined;
  if (target !== undefined) {
    const what = (): string => `the answer to an annotation of the ${String(member(observation, 'of'))}`;
    const beside = [{ pointer: '/target/runId', wrong: `is ${shown(target)}, not the run that it was made for` }];
    yield { shape: 'annotation', what, beside };
  }
  if (!isWatched(observation)) return;
  const { runId } = observation;
  if (observation.problem !== null) {
    // A log that cannot be followed for want of ids or types is this row's.
    for (const event of observation.events.filter(isUnnamed)) yield* eventsIn(event, runId ?? '');
    return;
  }
  const asks = isRun(observation) && observation.events.some(isInterrupt);
  const isFork = asks && observation.fork !== null;
  const answered = isFork ? forkQuestionFaults(observation, origins, questions) : undefined;
  const wrong = asks ? (answered ?? interruptFaults(observation, given.get(runId ?? ''))) : undefined;
  const sharedIds = sharedIdFaults();
  const isForked = isRun(observation) && observation.fork !== null;
  const links = isForked ? forkTimeFaults(observation, origins, around.beginnings) : linkFaults(observation);
  const named = isRun(observation) ? namedRunFaults(observation, origins, around.mayBeOf) : () => [];
  for (const event of observation.events) {
    const beside = [...named(event), ...sharedIds(event), ...timeFaults(event), ...links(event)];
    yield* eventsIn(event, runId ?? '', { beside, wrong });
  }
  const { snapshot } = observation;
  if (isRecord(snapshot)) {
    const names =
      isRun(observation) && !hasSharedIds
        ? [
            ...snapshotNameFaults(observation),
            ...snapshotTimeFaults(observation),
            ...forkNameFaults(observation, origins, parents),
          ]
        : [];
    yield { shape: 'run-snapshot', value: snapshot, what: () => `the snapshot of ${runId ?? ''}`, beside: names };
  }
  if (!isRun(observation) || !isSuccess(observation.answered)) return;
  const { fork, answer: value } = observation;
  const beside = answerFaults(observation);
  if (fork !== null)
    yield { shape: 'fork-answer', value, what: () => `the answer that made the fork ${runId ?? ''}`, beside };
  else if (isRecord(value))
    yield { shape: 'run-answer', value, what: () => `the answer that made the run ${runId ?? ''}`, beside };
}

function isReading<O extends Recorded<Observation>>(observation: O): observation is O & ReadingObservation {
  return observation.type === 'reading';
}

/** The runs that were read beside being followed, and whose events name them. */
export function plainRunsIn(observations: Everything): ReadonlySet<string | null> {
  const read = new Set<string | null>(observations.filter(isReading).map(({ runId }) => runId));
  const runs = observations.filter((each) => isRun(each));
  return new Set(runs.filter((run) => read.has(run.runId) && isPlain(run)).map(({ runId }) => runId));
}

/** The events of a reading that name another run than the one that was read. */
function* foreignIn({ events, runId, transport, how }: ReadingObservation): Generator<Sent> {
  for (const event of events) {
    const beside = otherRunFaults(event.data, runId);
    const what = (): string => `sequence ${String(sequenceOf(event))} of ${runId} (${transport}, ${how})`;
    if (beside.length > 0) yield { shape: 'run-event', what, beside };
  }
}

/** A run or a child of one. */
interface Watched {
  readonly runId: string | null;
  readonly problem: string | null;
  readonly events: readonly Json[];
  readonly snapshot: Json;
}

function isWatched<O extends Recorded<Observation>>(observation: O): observation is O & Watched {
  return observation.type === 'run' || observation.type === 'child';
}

/** Whether an event is a question, or its answer. */
export function isInterrupt(event: Json): boolean {
  const type = member(event, 'type');
  return type === 'interrupt.requested' || type === 'interrupt.resolved';
}

/** What is wrong with an event beside its shape, and with the payloads of interrupts by the numbers of theirs. */
interface Wrong {
  readonly beside?: Sent['beside'];
  readonly wrong?: ReturnType<typeof interruptFaults> | undefined;
}

function* eventsIn(event: Json, runId: string, { beside, wrong }: Wrong = {}): Generator<Sent> {
  const sequence = member(event, 'sequence') ?? member(event, 'seq');
  const what = (): string => `sequence ${String(sequence)} of ${runId}`;
  yield { shape: 'run-event', value: event, what, beside };
  if (!isInterrupt(event)) return;
  const payload = member(event, 'payload');
  const value = payload === undefined ? member(event, 'data') : payload;
  const reported = (): string => `the payload of ${String(member(event, 'type'))}, ${what()}`;
  yield { shape: 'interrupt', value, what: reported, beside: wrong?.get(Number(sequence)) };
}

/** Annotations are asked for where feedback is advertised, and of a run that is there: 501 on something advertised is not conformant. */
function notThere(status: number): readonly Beside[] {
  return [{ pointer: '', wrong: `is ${status}: feedback is advertised, and the run is there`, isStatus: true }];
}

/** The list of a run's annotations is not empty where one was taken before (wire, Endpoints): it was read until it held something. */
function unlisted(requested: RequestedObservation, takesNotes: boolean): readonly Beside[] {
  const list = requested.row === LIST_ROW ? member(bodyOf(requested), 'annotations') : undefined;
  const isEmpty = takesNotes && Array.isArray(list) && list.length === 0;
  return isEmpty ? [{ pointer: '/annotations', wrong: 'is empty: an annotation of the run was taken before' }] : [];
}

/** A refusal for want of a route or of a credential may be a gateway's. */
function* answersIn(
  requested: UrlObservation,
  { otherRunWith, takesAnswers, takesNotes }: Pick<Around, 'otherRunWith' | 'takesAnswers' | 'takesNotes'>,
): Generator<Sent> {
  const { row, name } = requested;
  const status = statusOf(requested);
  const what = (): string => `the answer ${status} to "${name}"`;
  if (row === URL_ROW) {
    yield { shape: 'run-answer', what: () => 'the answer that made a run', beside: urlFaults(requested, otherRunWith) };
    return;
  }
  const isWrong = isSuccess(status) || isServerError(status);
  if (Object.hasOwn(NOT_TAKEN, row) && isWrong && (takesAnswers || isSuccess(status))) {
    const beside = [{ pointer: '', wrong: `is ${status}, ${NOT_TAKEN[row] ?? ''}`, isStatus: true as const }];
    yield { shape: 'interrupt', what, beside };
    return;
  }
  if (row === ANSWER_ROW && isServerError(status)) {
    const beside = [{ pointer: '', wrong: `is ${status}: the question is open`, isStatus: true as const }];
    yield { shape: 'interrupt', what, beside };
    return;
  }
  if (Object.hasOwn(UNKNOWN_ROWS, row) && isWrong) {
    const beside = [{ pointer: '', wrong: `is ${status}: there is no such run`, isStatus: true as const }];
    yield { shape: UNKNOWN_ROWS[row as keyof typeof UNKNOWN_ROWS], what, beside };
    return;
  }
  const shape = Object.hasOwn(ANSWER_ROWS, row) ? ANSWER_ROWS[row as keyof typeof ANSWER_ROWS] : undefined;
  if (shape !== undefined) {
    const beside = shape === 'diff' ? undefined : [...annotationFaults(requested), ...unlisted(requested, takesNotes)];
    if (isSuccess(status)) yield { shape, value: bodyOf(requested), what, beside };
    else if (shape !== 'diff' && (isNoRoute(status) || isServerError(status)))
      yield { shape, what, beside: notThere(status) };
    return;
  }
  const isRefusal =
    !JUDGED_ELSEWHERE.has(row) &&
    isClientError(status) &&
    !isAboutCaller(status) &&
    status !== 405 &&
    !saysNothing(status, 'refusal');
  if (isRefusal) yield { shape: 'error-envelope', value: bodyOf(requested), what };
}
