import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { sequenceOf } from '../../src/host/log/shown.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { isAboutCaller, isClientError } from '../../src/protocol/status.ts';
import type { Foundation, Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, eventsOf, isAboutReplay, rawOf } from '../shared/compare-runs.ts';
import { isRun, sourceAmong } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { lostInHistory, replayedIn, type Replayed, withoutLost } from '../shared/lost-in-replays.ts';
import { isDisordered } from '../shared/numbers-note.ts';
import { ofType } from '../shared/of-type.ts';
import { asInSource, lackingIn, type Otherwise, otherwiseInHistory } from '../shared/otherwise-in-replays.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { foundationBrokenBy } from '../shared/unobserved.ts';
import { withoutReplayMembers } from '../shared/replay-members.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { statusIn } from '../shared/snapshot.ts';
import { withoutVolatile } from '../shared/volatile.ts';
import { readingsIn } from './logs.ts';
import { type Beside, besideIn } from './beside.ts';
import { OPTIONAL, shownOtherwise } from './reading-differences.ts';
import { withoutReported } from './reported-otherwise.ts';
import { completedLog, withHistoryOf } from './source-history.ts';

const IN_PAYLOAD = '/payload/';

/** What a history has otherwise than its source's: nodes and members of payloads, or no events of a type. */
interface Changed {
  readonly otherwise: readonly Otherwise[];
  readonly lost: ReturnType<typeof lostInHistory>;
}

/** What differs between the history of a fork and its source's, of the first one where that is no more than this. */
function changedIn(shown: readonly Recorded<Observation>[]): Changed {
  const known = changes.get(shown) ?? firstChange(shown);
  changes.set(shown, known);
  return known;
}

function firstChange(shown: readonly Recorded<Observation>[]): Changed {
  for (const replay of shown.filter((each) => isRun(each))) {
    const source = replay.fork === null ? undefined : sourceAmong(replay, shown);
    if (source === undefined) continue;
    const changed = changedBetween({ source, replay });
    if (changed.otherwise.length > 0 || changed.lost !== undefined) return changed;
  }
  return { otherwise: [], lost: undefined };
}

function changedBetween(pair: Replayed): Changed {
  const otherwise = otherwiseInHistory(pair);
  return { otherwise, lost: otherwise.length > 0 ? undefined : lostInHistory(pair) };
}

/** By what shows them: that is looked through once, for all observations. */
const changes = new WeakMap<readonly Recorded<Observation>[], Changed>();

/** Whether two readings of one run call the same event by other names. */
function areNamedAnew(shown: readonly Recorded<Observation>[]): boolean {
  const [one, other] = ofType<ReadingObservation>(shown, 'reading').map(
    ({ events }) => new Map(events.map((event) => [sequenceOf(event), member(event.data, 'eventId')])),
  );
  return [...(one ?? [])].some(([sequence, eventId]) => {
    const again = other?.get(sequence);
    return sequence !== undefined && again !== undefined && again !== eventId;
  });
}

/** Whether one of two readings of one run shows what the other one does from a later event on. */
function isBegunLater(shown: readonly Recorded<Observation>[]): boolean {
  const [short, long] = ofType<ReadingObservation>(shown, 'reading')
    .map(({ events }) => events.map(sequenceOf))
    .toSorted((a, b) => a.length - b.length);
  if (short === undefined || long === undefined || short.length === 0 || short.length === long.length) return false;
  const end = long.slice(-short.length);
  return short.every((sequence, at) => sequence === end[at]);
}

/** What replays write otherwise, and report, or beside what happened, is theirs as such. */
function withoutOtherMembers(
  observation: Recorded<Observation>,
  shown: readonly Recorded<Observation>[],
  beside: readonly Recorded<Observation>[],
): object | undefined {
  const left = withoutOtherStates(observation, shown, beside);
  return left ?? (isRun(observation) ? withoutReplayMembers(observation, shown, beside) : undefined);
}

/** What replays write otherwise, and report, or leave out of what they write. */
function withoutOtherStates(
  observation: Recorded<Observation>,
  shown: readonly Recorded<Observation>[],
  beside: readonly Recorded<Observation>[],
): object | undefined {
  const reported = withoutReported(observation, shown, beside);
  if (reported !== undefined || !isRun(observation)) return reported;
  const lacking = lacks.get(shown) ?? lackingIn(replayedIn(shown));
  lacks.set(shown, lacking);
  return asInSource(observation, lacking, beside);
}

/** By what shows it, too. */
const lacks = new WeakMap<readonly Recorded<Observation>[], readonly Otherwise[]>();

/** A log whose events are called by their numbers, and say nothing of what caused them. */
export function withoutNames({ runId, events }: RunObservation): readonly Json[] {
  return events.map((event): Json => {
    const { causationId: _cause, ...rest } = Object(event) as Readonly<Record<string, Json>>;
    return { ...rest, eventId: `${runId ?? ''} ${JSON.stringify(rest['sequence'] ?? rest['seq'])}` };
  });
}

/** The run that a fork was made of; one that is a fork itself has the history of the run that it was made of. */
function sourceWithHistory(
  fork: RunObservation,
  beside: readonly Recorded<Observation>[],
  passed: readonly RunObservation[] = [],
): RunObservation | undefined {
  const source = sourceAmong(fork, beside);
  if (source === undefined || source.fork === null || passed.includes(source)) return source;
  const first = sourceWithHistory(source, beside, [...passed, source]);
  const events = first && withHistoryOf(first, source);
  return events === undefined ? source : { ...source, events };
}

/** The row about the histories of branches. */
const BRANCH_HISTORIES = 'fork.branch-inherits-prefix';

/** A fork's events with the history of its source; undefined where it has that. */
function withSourceHistory(
  fork: RunObservation,
  beside: readonly Recorded<Observation>[],
): { readonly events: readonly Json[] } | undefined {
  const source = sourceWithHistory(fork, beside);
  const events = source && withHistoryOf(source, fork);
  return events && { events };
}

/** Whose answers of tools are not the recorded ones is named for these. */
const CALLS = ['replay.no-second-external-call'];

/** Whose facts are written anew is named for these. */
const FACTS = 'replay.recorded-facts-verbatim';

const COPIED = 'it shows the log of its source, and nothing of what it did';

const NOWHERE = 'its number names no one place in the log of its source';

const BEYOND = 'the log of its source shows an event behind its end, from which no fork has to work';

const NOTHING_SHOWN = { events: [], snapshot: null };

const NOT_MADE = { answered: null, runId: null, ...NOTHING_SHOWN };

/**
 * Whether a fork was made from a log in which no event can be told from the next by its number, or was refused for a number of one
 * whose numbers go back or repeat: which event the host calls so nobody knows.
 */
function isFromNowhere(run: RunObservation, beside: readonly Recorded<Observation>[]): boolean {
  const source = sourceAmong(run, beside);
  if (source === undefined) return false;
  const events = eventsOf(source);
  const { answered, fork } = run;
  const isRefused = answered !== null && isClientError(answered) && !isAboutCaller(answered);
  if (isRefused && fork?.fromSeq !== null && isDisordered({ events })) return true;
  return events.length > 1 && events.every(({ sequence }) => sequence === events[0]?.sequence);
}

/** Whether a fork that was not made begins at an event behind the end of its source. */
function isFromBeyond(run: RunObservation, beside: readonly Recorded<Observation>[]): boolean {
  const source = run.runId === null ? sourceAmong(run, beside) : undefined;
  const end = source && eventsOf(source).find(endsRun);
  return end !== undefined && (run.fork?.fromSeq ?? 0) > end.sequence;
}

type ReadLog = Pick<RunObservation, 'events' | 'snapshot'>;

/** Whether an observation is a run, or the child of one. */
function isRead(observation: Recorded<Observation>): observation is Recorded<Observation> & ReadLog {
  return isRun(observation) || observation.type === 'child';
}

/**
 * What two readings show otherwise of one event, in every run: there is no saying what was recorded. Runs are followed by their
 * streams, so that the type is the other reading's, the one that was recorded where a run was read while it went on, and the one
 * that its snapshot tells of where it ends a run. Whose event it is, and what caused it, is shown otherwise in all of them.
 */
function withoutOtherwise(run: ReadLog, shown: readonly Recorded<Observation>[]): object | undefined {
  const [one, other] = readingsIn(shown);
  const otherwise = one && other && shownOtherwise(one, other);
  if (otherwise === undefined) return one && other && withoutBeside(run, besideIn(one, other));
  const { type, otherType, pointers } = otherwise;
  const blank = (names: readonly string[]): object =>
    Object.fromEntries(names.filter((name) => pointers.includes(`/${name}`)).map((name) => [name, null]));
  const [everywhere, there] = [blank(OPTIONAL), blank(['nodeId', 'payload'])];
  const types = [type, otherType];
  const isMeant = (event: Json): boolean => types.includes(readRunEvent(event)?.type ?? '');
  if (Object.keys(everywhere).length === 0 && !run.events.some(isMeant)) return undefined;
  const inPayloads = pointers.filter((pointer) => pointer.startsWith(IN_PAYLOAD));
  const taken = withoutVolatile(run, inPayloads).events;
  const reported = `run.${statusIn(run.snapshot) ?? ''}`;
  const mended = types.includes(reported) ? reported : other?.how === 'live' ? type : otherType;
  return {
    events: run.events.map((event, at): Json => {
      const known = isMeant(event) ? { ...Object(taken[at] ?? event), ...there, type: mended } : event;
      return { ...Object(known), ...everywhere };
    }),
  };
}

/** What two readings show otherwise beside what happened is in no event. */
function withoutBeside({ events }: ReadLog, beside: readonly Beside[]): object | undefined {
  const names = new Set(beside.map(({ name }) => name));
  if (names.size === 0) return undefined;
  const isLeft = ([name]: readonly [string, Json]): boolean => !names.has(name);
  return {
    events: events.map((event): Json =>
      Object.fromEntries(Object.entries(Object(event) as Readonly<Record<string, Json>>).filter(isLeft)),
    ),
  };
}

/** The log of a run without what follows its end. */
function uptoEnd(run: RunObservation): Pick<RunObservation, 'events'> | undefined {
  const events = eventsOf(run);
  const end = events.findIndex(endsRun);
  // What speaks about the replay stays: that it stands before the end is a row of its own (refusal.precedes-failure).
  const kept = events.filter((event, index) => index <= end || isAboutReplay(event));
  return end === -1 || kept.length === events.length ? undefined : { events: rawOf(kept) };
}

function completed(
  observation: Recorded<Observation>,
  beside: readonly Recorded<Observation>[],
  how: Parameters<typeof completedLog>[2],
): ReturnType<typeof completedLog> {
  const source = isRun(observation) ? sourceAmong(observation, beside) : undefined;
  return source && isRun(observation) ? completedLog(source, observation, how) : undefined;
}

/**
 * What other rows do without where a claim about logs is broken. Event ids that change between readings are removed. Events whose
 * numbers go back are judged in the order that they should have. Events behind the end of a log are ignored. A changed history is
 * counted once. Where a fork shows the log of its source, an equal log proves nothing.
 */
export const foundations: readonly Foundation[] = [
  {
    check: FOUNDATIONS.readings,
    onlyPasses: true,
    without: (observation, shown) =>
      isRun(observation) && areNamedAnew(shown) ? { events: withoutNames(observation) } : undefined,
  },
  {
    check: FOUNDATIONS.readings,
    without: (observation, shown, beside) =>
      isRun(observation) && isBegunLater(shown) ? withSourceHistory(observation, beside) : undefined,
  },
  {
    check: FOUNDATIONS.numbers,
    onlyPasses: true,
    isBrokenBy: (observation) =>
      isRun(observation) &&
      (isDisordered({ events: eventsOf(observation) }) || foundationBrokenBy(observation) === FOUNDATIONS.numbers),
    without: (observation) => {
      const events = isRun(observation) ? ordered(observation) : undefined;
      return events && { events };
    },
  },
  {
    check: FOUNDATIONS.numbers,
    without: (observation, _, beside) =>
      isRun(observation) && isFromNowhere(observation, beside) ? { problem: NOWHERE, ...NOT_MADE } : undefined,
  },
  {
    check: FOUNDATIONS.readings,
    without: (observation, shown) => (isRead(observation) ? withoutOtherwise(observation, shown) : undefined),
  },
  {
    check: FOUNDATIONS.histories,
    onlyPasses: true,
    without: (observation, shown, beside) => {
      if (!isRun(observation)) return undefined;
      const restored = withSourceHistory(observation, beside);
      const left = restored === undefined ? observation : { ...observation, ...restored };
      // What is written otherwise there, or not at all, is written so behind it, too.
      const { otherwise, lost } = changedIn(shown);
      const mended = (source: RunObservation) => ({ ...source, ...withSourceHistory(source, beside) });
      const again = asInSource(left, otherwise, beside, mended) ?? (lost && withoutLost(left, lost, lost.leave));
      return again ?? restored;
    },
  },
  {
    check: BRANCH_HISTORIES,
    onlyPasses: true,
    without: (observation, _, beside) =>
      isRun(observation) && observation.fork?.mode === 'branch' ? withSourceHistory(observation, beside) : undefined,
  },
  {
    check: FOUNDATIONS.execution,
    without: (observation, _, beside) => {
      const source = isRun(observation) && observation.problem === null ? sourceAmong(observation, beside) : undefined;
      const isCopy = source !== undefined && isRun(observation) && compareLogs(source, observation).kind === 'same';
      return isCopy ? { problem: COPIED, ...NOTHING_SHOWN } : undefined;
    },
  },
  // Where another value leaves another state, the row about states says so first.
  {
    check: FOUNDATIONS.sameAgain,
    onlyPasses: true,
    behind: [...CALLS, FOUNDATIONS.sameStates],
    without: withoutOtherMembers,
  },
  {
    check: FOUNDATIONS.sameStates,
    isAlone: true,
    onlyPasses: true,
    behind: [...CALLS, FACTS],
    without: withoutOtherStates,
  },
  {
    check: FOUNDATIONS.ends,
    isBrokenBy: (observation) => isRun(observation) && foundationBrokenBy(observation) === FOUNDATIONS.ends,
    without: (observation, _, beside) => {
      if (isRun(observation) && isFromBeyond(observation, beside)) return { problem: BEYOND, ...NOT_MADE };
      return completed(observation, beside, 'as its source') ?? (isRun(observation) ? uptoEnd(observation) : undefined);
    },
    showsMore: (observation, _, beside) => completed(observation, beside, 'at once'),
  },
];

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
