import { member } from '../../src/contract/discovery.ts';
import { type Fail, fail, pass, rests, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { isTerminal, sequenceOf, type Shown, typeOf } from '../../src/host/log/shown.ts';
import { isRecord, isReduced } from '../../src/host/run-event.ts';
import { isTypeOfDocuments } from '../../src/protocol/event-type.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { wholeIn, wholeRunsIn } from '../shared/every-run.ts';
import { SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { leftWithout, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { failureOf } from '../shared/settle.ts';
import { shown } from '../shared/compare-runs.ts';
import { besideIn } from './beside.ts';
import { unread } from './judge-logs.ts';
import { readingsIn, steadily, titleOf, type RecordedReading } from './logs.ts';
import { disagreement, ownerOf, shownOtherwise, withoutDebugOnly } from './reading-differences.ts';
import { WORKING } from './working-run.ts';
import { wrong as naming } from './diagnoses.ts';

/** Runs that write more than the shortest ones: a transport may leave out events of kinds that the shortest logs do not hold, or those of long logs. */
export const RICHER: readonly { readonly role: string; readonly workflowIds: readonly string[] }[] = [
  {
    role: 'run with variables',
    workflowIds: ['conformance-determinism-variable-write', 'conformance-multi-agent-handoff'],
  },
  {
    role: 'run with channels',
    workflowIds: ['conformance-determinism-channel-write', 'conformance-conversation-replay'],
  },
  { role: 'run with memories', workflowIds: ['conformance-determinism-memory-write'] },
  { role: 'run with versions', workflowIds: ['conformance-determinism-version-pin'] },
  { role: 'long run', workflowIds: ['conformance-determinism-long'] },
];

/** The forks that are made from the middle of the first of them. */
export const RICHER_FORKS = [
  { role: 'later fork', mode: 'replay' },
  { role: 'branch', mode: 'branch' },
] as const;

/** The roles of a run that fails, of one that was cancelled while it waited, and of one that was given every value. */
export const [FAILING, CANCELLED_ONCE, VALUED] = ['failing run', 'cancelled run', 'run with every value'];

/** The roles of the replay that is read over every transport as well, and of a replay of that one. */
export const [REPLAY, REPLAY_AGAIN] = ['fork', 'fork of the fork'] as const;

/**
 * Judges that all readings of one run, of a replay of it, and of one of that, show the same events: identity, type, number, node and payload
 * where an event came whole, type and number where a stream shows a reduced one. What a host does not offer is left out. The same holds for
 * every run that another scenario read over several transports, such as a replay that a refusal ended.
 */
export function judgeAgreement(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const read = readingsIn(recorded);
  const of = (role: string): Outcome | undefined => judgeRun(read.filter(({ run }) => run === role));
  const outcome = of('run') ?? unread(recorded);
  const further = [...RICHER, ...RICHER_FORKS].map(({ role }) => role);
  const roles = [REPLAY, REPLAY_AGAIN, WORKING, FAILING, CANCELLED_ONCE, VALUED, ...further];
  const judged = roles.map(of);
  const own = new Set(read.map(({ id }) => id));
  const others = wholeIn(everything).filter(({ id }) => !own.has(id));
  const beside = eachRun(others, START).map(judgeRun);
  const resumed = eachRun(others, RESUMED).map(otherwiseResumed);
  const failure = failureOf(
    [outcome, ...judged, ...beside, ...resumed, standingStill(read)].filter((each) => each !== undefined),
  );
  const found = failure?.kind === 'rests' ? failure.otherwise : failure;
  if (found?.kind === 'fail' && isByForks(found, everything)) return rests(SOURCE_UNTOUCHED, found);
  if (failure !== undefined || outcome.kind !== 'pass') return failure ?? outcome;
  const replay = runOf(recorded, REPLAY);
  return (replay && leftWithout([replay])) ?? unanswered(read) ?? outcome;
}

/**
 * Whether runs alone that were forked are shown otherwise by one transport than by another, and others with such an event are not: that is
 * what forks do to their sources.
 */
function isByForks({ evidence }: Fail, everything: Everything): boolean {
  const read = readingsIn(everything);
  const [one, other] = evidence.map((id) => read.find((each) => each.id === id));
  const type = one && other && shownOtherwise(one, other)?.type;
  const sources = new Set(wholeRunsIn(everything).map(({ fork }) => fork?.sourceRunId));
  if (one === undefined || type === undefined || !sources.has(one.runId)) return false;
  const judged = eachRun(wholeIn(everything), START).map((each) => ({ each, outcome: judgeRun(each) }));
  const wrong = judged.flatMap(({ each, outcome }) => (outcome?.kind === 'fail' ? each.slice(0, 1) : []));
  const isShown = ({ each, outcome }: (typeof judged)[number]): boolean =>
    outcome?.kind === 'pass' &&
    each.every(({ runId, events }) => !sources.has(runId) && events.some((event) => typeOf(event) === type));
  return wrong.every(({ runId }) => sources.has(runId)) && judged.some(isShown);
}

/** What is left open where a transport showed nothing of the run, and did not say that it is not offered. */
function unanswered(read: readonly RecordedReading[]): Outcome | undefined {
  const silent = read.filter(
    ({ run, how, cut, events }) => run === 'run' && how === 'start' && cut === true && events.length === 0,
  );
  if (silent.length === 0) return undefined;
  return undecidedUntil(
    'answer there, or refuse with a 4xx what is not offered',
    `nothing was shown by ${silent.map(titleOf).join(', ')}`,
    silent,
  );
}

/** Readings from the start, and those with what was resumed. */
const START: ReadonlySet<string> = new Set<RecordedReading['how']>(['start']);
const RESUMED: ReadonlySet<string> = new Set<RecordedReading['how']>(['start', 'resumed']);

/** The readings of these kinds of each run that a scenario read. */
function eachRun(everything: Everything, kinds: ReadonlySet<string>): readonly (readonly RecordedReading[])[] {
  const runs = new Map<string, RecordedReading[]>();
  for (const scenario of new Set(everything.map((each) => each.scenario))) {
    const read = readingsIn(everything.filter((each) => each.scenario === scenario));
    for (const reading of read.filter(({ how }) => kinds.has(how))) {
      const key = JSON.stringify([scenario, reading.run, reading.runId]);
      runs.set(key, [...(runs.get(key) ?? []), reading]);
    }
  }
  return [...runs.values()];
}

/** Judges the readings of one run; undefined where none shows an event. */
function judgeRun(all: readonly RecordedReading[]): Outcome | undefined {
  const read = withoutDebugOnly(all);
  const base = baseOf(read);
  if (base === undefined) return undefined;
  const others = read.filter((reading) => reading !== base && !MEANWHILE.has(reading.how) && isComparable(reading));
  const outcome =
    otherwise(base, others) ??
    otherwiseLive(read) ??
    otherwiseNamed(read) ??
    brokenIn(read) ??
    lackingIn(read) ??
    otherwiseOver(read) ??
    otherwiseBeside(read);
  if (outcome !== undefined) return outcome;
  if (others.every(({ cut }) => cut === true))
    return undecidedUntil(
      'show the log in a second way, such as GET events as JSON, or events/poll',
      `there is nothing to compare ${titleOf(base)} with`,
      [base],
    );
  const compared = [base, ...others].filter(({ cut }) => cut !== true);
  return pass(compared, `compared: ${compared.map(({ transport, how }) => `${transport} ${how}`).join(', ')}`);
}

/** An event that a resumed reading shows otherwise than the whole one over its transport: which ones it has to show, another row says. */
function otherwiseResumed(read: readonly RecordedReading[]): Outcome | undefined {
  for (const other of read.filter(({ how }) => how === 'resumed')) {
    const whole = read.find(({ how, transport }) => how === 'start' && transport === other.transport);
    if (whole === undefined) continue;
    const numbers = new Set(whole.events.map(sequenceOf));
    const events = other.events.filter((event) => {
      const number = sequenceOf(event);
      return numbers.has(number) && (number ?? 0) > (other.after ?? 0);
    });
    const shownNumbers = new Set(events.map(sequenceOf));
    const base = { ...whole, events: whole.events.filter((event) => shownNumbers.has(sequenceOf(event))) };
    const found = otherwise(base, [{ ...other, events }]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How all of a run is read that has ended, and how one that has not. */
const WHOLE: ReadonlySet<string> = new Set<RecordedReading['how']>(['start', 'again']);
const TWICE: ReadonlySet<string> = new Set<RecordedReading['how']>(['start', 'live']);
const MEANWHILE: ReadonlySet<string> = new Set<RecordedReading['how']>(['waiting', 'live']);

/** The first of these readings that shows something else than another one. */
function otherwise(base: RecordedReading, others: readonly RecordedReading[]): Outcome | undefined {
  for (const other of others) {
    const found = disagreement(base, other);
    if (found === undefined) continue;
    const { pointer: _pointer, isShort: _isShort, ...mismatch } = found;
    // Either may be the wrong one.
    const steps = [base.id, other.id];
    return fail({ diagnosis: naming('readings-differ'), ...mismatch, steps, restsOn: ownerOf(found, base, other) }, [
      base,
      other,
    ]);
  }
  return undefined;
}

/**
 * A poll that says that a run is over while it waits for an answer, or that it goes on where nothing follows its end. That its pages are
 * complete it may say of each of them.
 */
function otherwiseOver(read: readonly RecordedReading[]): Outcome | undefined {
  const wrong = read.find(({ over, how, events }) => over === (how === 'waiting') && over !== events.some(isTerminal));
  if (wrong === undefined) return undefined;
  const expected = `isComplete, or isTerminal, ${String(wrong.over !== true)} in ${titleOf(wrong)}`;
  return fail({ diagnosis: naming('readings-differ'), expected, actual: String(wrong.over) }, [wrong]);
}

/** The stream of a running run shows the same events as its stream after the end. Messages that are no events of the run may come as well. */
function otherwiseLive(read: readonly RecordedReading[]): Outcome | undefined {
  const live = read.find(({ how, cut }) => how === 'live' && cut !== true);
  const again = read.find(({ how, transport, cut }) => how === 'again' && transport === 'sse' && cut !== true);
  if (live === undefined || again === undefined) return undefined;
  const types = new Set(again.events.map(typeOf));
  return otherwise(again, [{ ...live, events: live.events.filter((event) => types.has(typeOf(event))) }]);
}

/** An event of a run that has ended, or was followed to its end, that says something else when it is read again in the same way. */
function otherwiseBeside(read: readonly RecordedReading[]): Outcome | undefined {
  for (const other of read.filter(({ how, cut }) => TWICE.has(how) && cut !== true)) {
    const one = read.find(({ transport, how }) => transport === other.transport && how === 'again');
    const [found] = one === undefined || one === other ? [] : besideIn(one, other);
    if (one === undefined || found === undefined) continue;
    const { at, name, a, b } = found;
    const expected = `event ${at} /${name}: ${shown(a)} as in ${titleOf(one)}`;
    return fail({ diagnosis: naming('readings-differ'), expected, actual: `${shown(b)} in ${titleOf(other)}` }, [
      one,
      other,
    ]);
  }
  return undefined;
}

/** Streams that show what there was when they were opened, and nothing of what comes then: each that was read again, as one may be the network's. */
function standingStill(read: readonly RecordedReading[]): Outcome | undefined {
  const still = steadily(read, 'still');
  const [first] = still;
  if (first === undefined) return undefined;
  const expected = `what is written while it is open, up to the end of its run, in ${titleOf(first)}`;
  const actual = 'nothing, until it was left long after the run had ended';
  return fail({ expected, actual, diagnosis: naming('stream-stands-still') }, still);
}

/** An event that a stream announces under another type, of its log or of the documents: who listens by type takes it for that (wire-contract, SSE). */
function otherwiseNamed(read: readonly RecordedReading[]): Outcome | undefined {
  const types = new Set(read.flatMap(({ events }) => events.map(typeOf)));
  for (const reading of read) {
    const event = reading.events.find(
      (each) =>
        each.name !== null &&
        letters(each.name) !== letters(typeOf(each)) &&
        (types.has(each.name) || isTypeOfDocuments(each.name)),
    );
    if (event === undefined) continue;
    const expected = `event: ${String(typeOf(event))}, as its data says, or a name of no event, in ${titleOf(reading)}`;
    return fail({ diagnosis: naming('readings-differ'), expected, actual: `event: ${String(event.name)}` }, [reading]);
  }
  return undefined;
}

/** A type without what spellings of it differ in. */
function letters(type: string | undefined): string | undefined {
  return type?.toLowerCase().replaceAll(/[^a-z]/gu, '');
}

/** An event of a stream whose data is text: JSON, in a reduced form at the least, it has to be (wire-contract, SSE). */
function brokenIn(read: readonly RecordedReading[]): Outcome | undefined {
  const types = new Set(read.flatMap(({ events }) => events.map(({ data }) => member(data, 'type'))));
  for (const reading of read) {
    const event = reading.events.find(({ name, data }) => typeof data === 'string' && types.has(name));
    if (event === undefined) continue;
    const expected = `a JSON object as the data of ${String(event.name)}, in ${titleOf(reading)}`;
    return fail({ diagnosis: naming('readings-differ'), expected, actual: shown(event.data) }, [reading]);
  }
  return undefined;
}

/** What is compared of every event beside its type and number, and must be there (wire-contract, Documents): a stream alone may show less of it (SSE). */
const OF_EVERY_EVENT = ['eventId', 'payload'];

/** An event of a list without a member that another reading shows, and that it must have. */
function lackingIn(read: readonly RecordedReading[]): Outcome | undefined {
  for (const reading of read.filter(({ transport }) => transport !== 'sse')) {
    for (const other of read.filter((each) => each !== reading)) {
      const wholes = new Map(other.events.map((event) => [sequenceOf(event), event]));
      for (const event of reading.events) {
        const number = sequenceOf(event);
        const whole = number === undefined ? undefined : wholes.get(number);
        const name = OF_EVERY_EVENT.find((each) => !shows(event, each) && whole !== undefined && shows(whole, each));
        if (name === undefined) continue;
        const expected = `${name} in the event of sequence ${String(number)}, as in ${titleOf(other)}`;
        return fail(
          {
            diagnosis: naming('readings-differ'),
            expected,
            actual: `${shown(member(event.data, name))} in ${titleOf(reading)}`,
          },
          [other, reading],
        );
      }
    }
  }
  return undefined;
}

/** Whether an event shows a member; a payload may be null, and stand under its other name. */
function shows({ data }: Shown, name: string): boolean {
  if (!isRecord(data)) return false;
  return name === 'payload' ? 'payload' in data || 'data' in data : (data[name] ?? null) !== null;
}

/** The reading that shows most: from the start, every type, whole events, and what these need not have. */
function baseOf(read: readonly RecordedReading[]): RecordedReading | undefined {
  const whole = read.filter(({ how, events, cut }) => WHOLE.has(how) && events.length > 0 && cut !== true);
  return whole.toSorted((a, b) => worth(b) - worth(a))[0];
}

function worth({ partial, events }: RecordedReading): number {
  const more = ['nodeId', 'causationId'].filter((name) => events.some((event) => shows(event, name))).length;
  return (partial ? 0 : 6) + (events.every(({ data }) => !isReduced(data)) ? 3 : 0) + more;
}

/** What a stream leaves out can be found by numbers only. */
function isComparable({ partial, events }: RecordedReading): boolean {
  return !partial || events.every((event) => sequenceOf(event) !== undefined);
}
