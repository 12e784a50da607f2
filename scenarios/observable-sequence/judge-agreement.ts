import type { Judgement } from '../../src/contract/verdict.ts';
import { diffValues } from '../../src/event-log/index.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import { shown } from '../shared/compare-runs.ts';
import { sequenceOf, shownSequence, typeOf, type Shown } from '../shared/reading.ts';
import { readingsIn, titleOf, unread, type Observations, type SeenReading } from './judge-readings.ts';

const check = 'sequence.transports-agree';

/**
 * Judges that all readings of one run show the same events: identity, type, number, node and payload where an event came
 * whole, type and number where a stream shows a reduced one. What a host does not offer is left out.
 */
export function judgeAgreement(observations: Observations): Judgement {
  const read = readingsIn(observations).filter(({ run }) => run === 'run');
  const base = baseOf(read);
  if (base === undefined) return unread(check, observations);
  const others = read.filter((reading) => reading !== base && isComparable(reading));
  for (const other of others) {
    const found = disagreement(base, other);
    if (found === undefined) continue;
    return { check, verdict: 'fail', ...found, evidence: [base.id, other.id] };
  }
  if (others.length === 0) {
    return {
      check,
      verdict: 'inconclusive',
      reason: `there is nothing to compare ${titleOf(base)} with`,
      evidence: [base.id],
    };
  }
  const seen = read.map(({ transport, how }) => `${transport} ${how}`);
  return { check, verdict: 'pass', reason: `compared: ${seen.join(', ')}`, evidence: read.map(({ id }) => id) };
}

/** The reading that tells most: from the start, every type, whole events. */
function baseOf(read: readonly SeenReading[]): SeenReading | undefined {
  const whole = read.filter(({ how, events }) => how !== 'resumed' && events.length > 0);
  return whole.toSorted((a, b) => worth(b) - worth(a))[0];
}

function worth({ partial, events }: SeenReading): number {
  return (partial ? 0 : 2) + (events.every(({ data }) => readRunEvent(data) !== undefined) ? 1 : 0);
}

/** What a stream leaves out can be told by numbers only. */
function isComparable({ partial, events }: SeenReading): boolean {
  return !partial || events.every((event) => sequenceOf(event) !== undefined);
}

type Disagreement = Pick<Judgement, 'expected' | 'actual'>;

function disagreement(base: SeenReading, other: SeenReading): Disagreement | undefined {
  const wanted = base.events.filter((event) => isWanted(event, base, other));
  for (let index = 0; index < Math.max(wanted.length, other.events.length); index += 1) {
    const [a, b] = [wanted[index], other.events[index]];
    const difference = a === undefined || b === undefined ? { pointer: '', a, b } : differing(a, b);
    if (difference === undefined) continue;
    const at = `event ${index + 1}${difference.pointer === '' ? '' : ` ${difference.pointer}`}`;
    return {
      expected: `${at}: ${shown(difference.a ?? 'no event')} as in ${titleOf(base)}`,
      actual: `${shown(difference.b ?? 'no event')} in ${titleOf(other)}`,
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

interface Different {
  readonly pointer: string;
  readonly a: unknown;
  readonly b: unknown;
}

function differing(a: Shown, b: Shown): Different | undefined {
  const [one, two] = [toldOf(a), toldOf(b)];
  const whole = one.payload !== undefined && two.payload !== undefined;
  const names = whole ? (['type', 'sequence', 'eventId', 'nodeId'] as const) : (['type', 'sequence'] as const);
  for (const name of names) {
    // A reduced event need not show its number.
    const shows = whole || (one[name] !== undefined && two[name] !== undefined);
    if (shows && one[name] !== two[name]) return { pointer: `/${name}`, a: one[name], b: two[name] };
  }
  if (!whole) return undefined;
  const [found] = diffValues(one.payload, two.payload, { pointer: '/payload', sourceRunId: '', replayRunId: '' });
  return found === undefined ? undefined : { pointer: found.pointer, a: found.source, b: found.replay };
}

interface Told {
  readonly type: unknown;
  readonly sequence: unknown;
  readonly eventId?: unknown;
  readonly nodeId?: unknown;
  /** Undefined for a reduced event. */
  readonly payload?: unknown;
}

function toldOf(event: Shown): Told {
  return readRunEvent(event.data) ?? { type: typeOf(event), sequence: shownSequence(event) };
}
