import { fail, pass, undecidedUntil, type Mismatch, type Outcome } from '../../src/contract/outcome.ts';
import { diffValues } from '../../src/event-log/index.ts';
import { isTerminal, sequenceOf, shownSequence, typeOf, type Shown } from '../../src/host/log/shown.ts';
import { isReduced, readRunEvent } from '../../src/host/run-event.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { shown } from '../shared/compare-runs.ts';
import { wholeIn } from '../shared/every-run.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftWithout, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { failureOf } from '../shared/settle.ts';
import { unread } from './judge-logs.ts';
import { endsOf, findDisorder, logOf, readingsIn, titleOf, type SeenReading } from './logs.ts';
import { WORKING } from './working-run.ts';

/** Runs that write variables and channels: a transport may leave out events of kinds that the shortest logs do not hold. */
export const RICHER: readonly { readonly role: string; readonly workflowIds: readonly string[] }[] = [
  {
    role: 'run with variables',
    workflowIds: ['conformance-determinism-variable-write', 'conformance-multi-agent-handoff'],
  },
  {
    role: 'run with channels',
    workflowIds: ['conformance-determinism-channel-write', 'conformance-conversation-replay'],
  },
];

/** The role of the replay that is read over every transport as well. */
export const REPLAY = 'fork';

/**
 * Judges that all readings of one run, and of a replay of it, show the same events: identity, type, number, node and payload where an event came
 * whole, type and number where a stream shows a reduced one. What a host does not offer is left out. The same holds for every run that another
 * scenario read over several transports, such as a replay that a refusal ended.
 */
export function judgeAgreement(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const read = readingsIn(recorded);
  const of = (role: string): Outcome | undefined => judgeRun(read.filter(({ run }) => run === role));
  const outcome = of('run') ?? unread(recorded);
  const judged = [REPLAY, WORKING, ...RICHER.map(({ role }) => role)].map(of);
  const own = new Set(read.map(({ id }) => id));
  const beside = eachRun(wholeIn(everything).filter(({ id }) => !own.has(id))).map(judgeRun);
  const failure = failureOf([outcome, ...judged, ...beside].filter((each) => each !== undefined));
  if (failure !== undefined || outcome.kind !== 'pass') return failure ?? outcome;
  const replay = runOf(recorded, REPLAY);
  return (replay && leftWithout([replay])) ?? outcome;
}

/** The readings from the start of each run that a scenario read. */
function eachRun(everything: Everything): readonly (readonly SeenReading[])[] {
  const runs = new Map<string, SeenReading[]>();
  for (const scenario of new Set(everything.map((each) => each.scenario))) {
    const read = readingsIn(everything.filter((each) => each.scenario === scenario));
    for (const reading of read.filter(({ how }) => how === 'start')) {
      const key = JSON.stringify([scenario, reading.run, reading.runId]);
      runs.set(key, [...(runs.get(key) ?? []), reading]);
    }
  }
  return [...runs.values()];
}

/** Judges the readings of one run; undefined where none shows an event. */
function judgeRun(read: readonly SeenReading[]): Outcome | undefined {
  const base = baseOf(read);
  if (base === undefined) return undefined;
  const others = read.filter((reading) => reading !== base && !MEANWHILE.has(reading.how) && isComparable(reading));
  for (const other of others) {
    const found = disagreement(base, other);
    if (found !== undefined) return disagreeing(found, base, other);
  }
  const outcome = otherwiseOver(read) ?? otherwiseLive(read);
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

/** How all of a run is read that has ended, and how one that has not. */
const WHOLE: ReadonlySet<string> = new Set<SeenReading['how']>(['start', 'again']);
const MEANWHILE: ReadonlySet<string> = new Set<SeenReading['how']>(['waiting', 'live']);

function disagreeing({ isShort, ...mismatch }: Disagreement, base: SeenReading, other: SeenReading): Outcome {
  const lacksEnd = isShort && [base, other].some(({ events }) => endsOf(events).length === 0);
  return fail({ ...mismatch, restsOn: lacksEnd ? FOUNDATIONS.ends : ownerOf(base, other) }, [base, other]);
}

/**
 * Where a reading goes on from an event is for the row about cursors to say, where it shows events again while they are written
 * for the one about numbers, and so is where to go on in a log that repeats some.
 */
function ownerOf(base: SeenReading, other: SeenReading): string | undefined {
  if (other.how !== 'resumed' && other.how !== 'live') return undefined;
  if ([base, other].some((each) => findDisorder([logOf(each)]) !== undefined)) return FOUNDATIONS.numbers;
  return other.how === 'resumed' ? 'run.cursor' : undefined;
}

/** A poll that says that a run is over while it waits for an answer, or that it goes on where nothing follows its end. */
function otherwiseOver(read: readonly SeenReading[]): Outcome | undefined {
  const wrong = read.find(({ over, how, events }) => over === (how === 'waiting') && over !== events.some(isTerminal));
  if (wrong === undefined) return undefined;
  const expected = `isComplete ${String(wrong.over !== true)} in ${titleOf(wrong)}`;
  return fail({ expected, actual: String(wrong.over) }, [wrong]);
}

/** A stream that shows a run that goes on shows the same events as the same stream does when it has ended; what is no event of it may come as well. */
function otherwiseLive(read: readonly SeenReading[]): Outcome | undefined {
  const live = read.find(({ how, cut }) => how === 'live' && cut !== true);
  const again = read.find(({ how, transport, cut }) => how === 'again' && transport === 'sse' && cut !== true);
  if (live === undefined || again === undefined) return undefined;
  const types = new Set(again.events.map(typeOf));
  const found = disagreement(again, { ...live, events: live.events.filter((event) => types.has(typeOf(event))) });
  return found && disagreeing(found, again, live);
}

/** The reading that shows most: from the start, every type, whole events. */
function baseOf(read: readonly SeenReading[]): SeenReading | undefined {
  const whole = read.filter(({ how, events, cut }) => WHOLE.has(how) && events.length > 0 && cut !== true);
  return whole.toSorted((a, b) => worth(b) - worth(a))[0];
}

function worth({ partial, events }: SeenReading): number {
  return (partial ? 0 : 2) + (events.every(({ data }) => !isReduced(data)) ? 1 : 0);
}

/** What a stream leaves out can be found by numbers only. */
function isComparable({ partial, events }: SeenReading): boolean {
  return !partial || events.every((event) => sequenceOf(event) !== undefined);
}

/** Where two readings differ first; `isShort` where one of them is the beginning of the other. */
type Disagreement = Mismatch & { readonly isShort: boolean };

function disagreement(base: SeenReading, other: SeenReading): Disagreement | undefined {
  const wanted = base.events.filter((event) => isWanted(event, base, other) && !isDebugOnly(event, other));
  const given = other.events.filter((event) => !isDebugOnly(event, base));
  for (let index = 0; index < Math.max(wanted.length, given.length); index += 1) {
    const [a, b] = [wanted[index], given[index]];
    if (b === undefined && other.cut === true) return undefined;
    const difference = a === undefined || b === undefined ? { pointer: '', a, b } : differing(a, b);
    if (difference === undefined) continue;
    const at = `event ${index + 1}${difference.pointer === '' ? '' : ` ${difference.pointer}`}`;
    return {
      expected: `${at}: ${shown(difference.a ?? 'no event')} as in ${titleOf(base)}`,
      actual: `${shown(difference.b ?? 'no event')} in ${titleOf(other)}`,
      isShort: a === undefined || b === undefined,
    };
  }
  return undefined;
}

/** What the other reading should show of the base: what follows its cursor, and what its stream mode lets through. */
function isWanted(event: Shown, base: SeenReading, other: SeenReading): boolean {
  const sequence = sequenceOf(event);
  if (other.after !== null && sequence !== undefined && sequence <= other.after) return false;
  if (!other.partial || base.partial) return true;
  return other.events.some((each) => sequenceOf(each) === sequence);
}

/** Whether an event reports a divergence, which a host may do in its debug stream alone (replay.md, Failure surfaces). */
function isDebugOnly(event: Shown, elsewhere: SeenReading): boolean {
  return isReport(event) && !elsewhere.events.some(isReport);
}

function isReport(event: Shown): boolean {
  return typeOf(event) === 'replay.diverged';
}

interface Different {
  readonly pointer: string;
  readonly a: unknown;
  readonly b: unknown;
}

/** Where two readings show one event otherwise: as the first shows it, its type as the second does, and the members that differ. */
export function otherwiseShown(
  one: SeenReading,
  other: SeenReading,
): { readonly type: string; readonly otherType: string; readonly pointers: readonly string[] } | undefined {
  for (const a of one.events) {
    const b = other.events.find((each) => sequenceOf(each) === sequenceOf(a));
    const [type, otherType] = [typeOf(a), b && typeOf(b)];
    if (b === undefined || type === undefined || otherType === undefined || differing(a, b) === undefined) continue;
    const [mine, theirs] = [contentOf(a), contentOf(b)];
    const node = mine.nodeId === theirs.nodeId ? [] : ['/nodeId'];
    return { type, otherType, pointers: [...node, ...payloadsDiffer(mine, theirs).map(({ pointer }) => pointer)] };
  }
  return undefined;
}

function payloadsDiffer(one: Content, two: Content): ReturnType<typeof diffValues> {
  return diffValues(one.payload, two.payload, { pointer: '/payload', sourceRunId: '', replayRunId: '' });
}

function differing(a: Shown, b: Shown): Different | undefined {
  const [one, two] = [contentOf(a), contentOf(b)];
  const whole = one.payload !== undefined && two.payload !== undefined;
  const names = whole ? (['type', 'sequence', 'eventId', 'nodeId'] as const) : (['type', 'sequence'] as const);
  for (const name of names) {
    // A reduced event need not show its number.
    const shows = whole || (one[name] !== undefined && two[name] !== undefined);
    if (shows && one[name] !== two[name]) return { pointer: `/${name}`, a: one[name], b: two[name] };
  }
  if (!whole) return undefined;
  const [found] = payloadsDiffer(one, two);
  return found === undefined ? undefined : { pointer: found.pointer, a: found.source, b: found.replay };
}

/** What of an event is compared; a reduced one has no payload. */
interface Content {
  readonly type: unknown;
  readonly sequence: unknown;
  readonly eventId?: unknown;
  readonly nodeId?: unknown;
  readonly payload?: unknown;
}

function contentOf(event: Shown): Content {
  const whole = isReduced(event.data) ? undefined : readRunEvent(event.data);
  return whole ?? { type: typeOf(event), sequence: shownSequence(event) };
}
