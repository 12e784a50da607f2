import { fail, isOutcome, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isTerminal, sequenceOf, shownSequence, typeOf, type Shown } from '../../src/host/log/shown.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { requestsOf, shownAnswer, statusOf, whyUndecided } from '../shared/requested.ts';
import { settle } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { RESUME } from './observation.ts';

type Read = Recorded<ReadingObservation>;

/** Judges readings that were resumed after events, each beside the whole log over the same transport. */
export function judgeCursors(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const read = ofType<ReadingObservation>(recorded, 'reading');
  const [refused] = requestsOf(recorded, RESUME);
  if (refused !== undefined && whyUndecided(refused) === undefined && statusOf(refused) >= 400) {
    const expected = `200 for ${refused.name} of ${named(runs.run)}`;
    return fail({ expected, actual: shownAnswer(refused), diagnosis: wrong('cursor-refused') }, [refused, runs.run]);
  }
  const whole = read.filter(({ how }) => how === 'start');
  const judged = whole.map((each) =>
    judgeTransport(
      each,
      read.filter(({ how, transport }) => how === 'resumed' && transport === each.transport),
    ),
  );
  return judged.length === 0 ? undecided('the log was read over no transport', [runs.run]) : settle(judged);
}

function judgeTransport(whole: Read, resumed: readonly Read[]): Outcome {
  const events = numbered(whole);
  const numbers = events.map(sequenceOf);
  const { transport, runId } = whole;
  if ([whole, ...resumed].some((read) => read.events.some(isMisnumbered))) {
    return rests(FOUNDATIONS.numbers, undecided(`${transport}: a number in the log of ${runId} is none`, [whole]));
  }
  if (!numbers.every((number, index) => index === 0 || (number ?? 0) > (numbers[index - 1] ?? 0))) {
    return rests(FOUNDATIONS.numbers, undecided(`${transport}: numbers of ${runId} do not increase`, [whole]));
  }
  const end = events.findIndex(isTerminal);
  if (end !== -1 && end < events.length - 1) {
    return rests(FOUNDATIONS.ends, undecided(`${transport}: the log of ${runId} goes on after its end`, [whole]));
  }
  if (end === -1) {
    return undecided(`${transport}: the log of ${runId} shows no end with a number`, [whole]);
  }
  for (const each of resumed) {
    const found = wrongIn(each, whole);
    if (found !== undefined) return found;
  }
  if (resumed.length === 0) return undecided(`${transport}: no cursor is known`, [whole]);
  const read = resumed.filter(({ cut }) => cut !== true);
  if (read.length === 0) return undecided(`${transport}: no resumed reading came to its end`, [whole, ...resumed]);
  return pass([whole, ...read], `${transport}: resumed after ${read.length} events`);
}

function wrongIn(read: Read, whole: Read): Outcome | undefined {
  const after = read.after ?? -1;
  const wanted = numbered(whole).filter((event) => (sequenceOf(event) ?? 0) > after);
  const came = numbered(read);
  // What a reading that was cut off did not show may have been on its way.
  const known = read.cut === true ? wanted.slice(0, came.length) : wanted;
  const numbers = new Set(came.map(sequenceOf));
  const isMissed = known.some((event) => !numbers.has(sequenceOf(event)));
  if (!isMissed && came.length === known.length) return undefined;
  const expected = `${read.transport}: after sequence ${after} of ${read.runId} ${listed(wanted)}`;
  const diagnosis = wrong(isMissed ? 'cursor-skips' : 'cursor-repeats');
  return fail({ expected, actual: listed(came), diagnosis }, [read, whole]);
}

/** Whether an event shows something as its number that orders nothing. */
function isMisnumbered(event: Shown): boolean {
  return shownSequence(event) !== undefined && sequenceOf(event) === undefined;
}

/** The events that show numbers: what a stream says beside its log has none. */
function numbered({ events }: Read): readonly Shown[] {
  return events.filter((event) => sequenceOf(event) !== undefined);
}

/** Events in words, the first few of them. */
function listed(events: readonly Shown[]): string {
  const names = events.slice(0, 4).map((event) => `${String(sequenceOf(event))} ${typeOf(event) ?? ''}`);
  return events.length === 0 ? 'no event' : `${events.length} events: ${names.join(', ')}`;
}
