import { listed } from '../../src/contract/listed.ts';
import { type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { isTerminal } from '../../src/host/log/shown.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { type AnyRun, isChild, type ReadChild, runsIn, wholeIn } from '../shared/every-run.ts';
import { SWEEP } from '../shared/swept-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftWithout, runOf, runsOf } from '../shared/need.ts';
import { asksStill } from '../shared/open-question.ts';
import { lateOthers, lateUnforked } from '../shared/past-the-end.ts';
import type { Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { failureOf } from '../shared/settle.ts';
import { foundationBrokenBy } from '../shared/unobserved.ts';
import { gatherSweep } from './judge-sweep.ts';
import { noneSwept, sweptText } from './sweep-text.ts';
import {
  endsOf,
  findDisorder,
  findWrongEnd,
  followedLog,
  logOf,
  numbersOf,
  readingsIn,
  type RecordedReading,
  type ShownLog,
  steadily,
  titleOf,
} from './logs.ts';
import { skips } from './reading-differences.ts';

/** What is left where no reading was made. */
export function unread(recorded: Recordings): Outcome {
  return (
    leftWithout([runOf(recorded, 'run') ?? 'run']) ??
    undecidedUntil(
      'answer GET of its events with a stream, or with JSON',
      'the log of an ended run could be read over no transport',
      [],
    )
  );
}

/**
 * Judges numbers reading by reading, and those of every log that any scenario followed: unique and increasing is hard, gaps
 * are mentioned (readings, Fork and prefix).
 */
export function judgeMonotonic(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const read = readingsIn(recorded);
  const followed = followedIn(everything);
  const fault =
    findDisorder(read.map(logOf)) ??
    followed.find(({ disorder }) => disorder !== undefined)?.disorder ??
    findDisorder(childrenIn(everything, ({ problem }) => problem === null)) ??
    findDisorder(resumedIn(everything).map(logOf));
  if (fault !== undefined) return fault;
  const numbered = read.flatMap((reading) => {
    const numbers = numbersOf(reading);
    return numbers === undefined ? [] : [{ reading, numbers }];
  });
  if (numbered.every(({ numbers }) => numbers.length < 2)) return unread(recorded);
  const gap = numbered.find(
    ({ reading, numbers }) =>
      !reading.partial && numbers.some((each, index) => index > 0 && each !== (numbers[index - 1] ?? each) + 1),
  );
  const gaps = gap === undefined ? [] : [`the numbers have gaps: ${listed(gap.numbers.map(String), 20)}`];
  const evidence = numbered.map(({ reading }) => reading);
  return pass(evidence, [...gaps, ...others(followed)].join('; ') || undefined);
}

/**
 * Judges the end of every reading, and of every log that any scenario followed (wire-contract, SSE: the stream closes after
 * the terminal event).
 */
export function judgeTerminal(recorded: Recordings, { everything }: Pick<Judging, 'everything'>): Outcome {
  const read = readingsIn(recorded).filter(
    (reading) => reading.events.length > 0 && reading.cut !== true && reading.how !== 'waiting' && !isOpen(reading),
  );
  const followed = followedIn(everything).filter(({ hasEnd }) => hasEnd);
  const isSkipping = (reading: RecordedReading): boolean =>
    read.some((other) => other.runId === reading.runId && skips(reading, other));
  const skipping = findWrongEnd(read.filter(isSkipping).map(logOf));
  const fault =
    findWrongEnd(read.filter((reading) => !isSkipping(reading)).map(logOf)) ??
    failureOf(followed.flatMap(({ wrongEnd }) => wrongEnd ?? [])) ??
    findWrongEnd([...lateUnforked(everything), ...lateOthers(everything)].map(logOf)) ??
    findWrongEnd(childrenIn(everything, (child) => shouldEnd(child) && !asksStill(eventsOf(child)))) ??
    (skipping?.kind === 'fail' ? rests('run.cursor', skipping) : skipping);
  if (fault !== undefined) return fault;
  if (read.length === 0) return unread(recorded);
  const runs = [...new Set(read.map(({ run }) => run))];
  return pass(read, [`seen: ${runs.join(', ')}`, ...others(followed), ...leftOpen(read)].join('; '));
}

/** Readings of any run that go on behind one of its events. */
function resumedIn(everything: Everything) {
  return readingsIn(wholeIn(everything)).filter(({ how }) => how === 'resumed');
}

/** Advice where streams do not close behind the end of their logs, or do so before: how long they may stay open, no document says. */
function leftOpen(read: readonly RecordedReading[]): readonly string[] {
  const [first] = read.filter(({ open }) => open === true);
  const [early] = steadily(read, 'ended');
  return [
    ...(first ? [`${titleOf(first)} is not closed behind the end of its log: clients wait for nothing`] : []),
    ...(early ? [`${titleOf(early)} is ended before its run is, each time: clients have to go on from there`] : []),
  ];
}

/** Whether a log was read while its run waits for an answer, which may not have come to it. */
function isOpen({ events }: RecordedReading): boolean {
  return !events.some(isTerminal) && asksStill(eventsOf({ events: events.map(({ data }) => data) }));
}

/** What both rows say of a log that was followed: it is unpacked once where it is long. */
interface Followed {
  readonly disorder: Outcome | undefined;
  /** Whether there is an end to judge, or one that is missing. */
  readonly hasEnd: boolean;
  readonly wrongEnd: Outcome | undefined;
}

const judgedLogs = new WeakMap<AnyRun, Followed>();

/** The logs of runs that were followed to their ends, forks included; those of the sweep have rows of their own. */
function followedIn(everything: Everything): readonly Followed[] {
  const runs = runsIn(everything).filter((run) => run.scenario !== SWEEP && showsItsLog(run));
  return runs.map((run) => {
    const known = judgedLogs.get(run);
    if (known !== undefined) return known;
    const { id, title, events } = followedLog(run);
    const log = { id, title, events };
    const hasEnd = shouldEnd(run) || endsOf(events).length > 0;
    const wrongEnd = hasEnd ? findWrongEnd([log]) : undefined;
    // A run that waits has no end: its snapshot says that it has.
    const isOwn = wrongEnd?.kind !== 'fail' || !asksStill(eventsOf(run));
    const judged = {
      disorder: findDisorder([log]),
      hasEnd,
      wrongEnd: isOwn ? wrongEnd : rests(FOUNDATIONS.snapshots, wrongEnd),
    };
    judgedLogs.set(run, judged);
    return judged;
  });
}

/** The logs of such children. */
function childrenIn(everything: Everything, isMeant: (child: ReadChild) => boolean): readonly ShownLog[] {
  const children = everything.filter(isChild).filter(isMeant);
  return children.map((child) => followedLog({ ...child, role: `child of the ${child.parent}` }));
}

/** Whether a run's log was read as far as it goes. */
function showsItsLog(run: RunObservation): boolean {
  return run.problem === null || foundationBrokenBy(run) !== undefined;
}

/** Whether a run has ended though its log does not say so. */
function shouldEnd(run: Parameters<typeof foundationBrokenBy>[0]): boolean {
  return foundationBrokenBy(run) === FOUNDATIONS.ends;
}

function others(followed: readonly Followed[]): readonly string[] {
  return followed.length === 0 ? [] : [`and ${followed.length} logs that were followed`];
}

/** Judges the numbers of every log that a sweep saw, sources and forks alike (replay.md, Why). */
export function judgeEveryNumber(recorded: Recordings): Outcome {
  const logs = sweptLogs(recorded);
  // One event alone is in order whatever its number is.
  const ordered = logs.filter((log) => (numbersOf(log) ?? []).length > 1);
  return (
    findDisorder(logs) ??
    (ordered.length === 0 ? unseenLogs(recorded, 'no log with numbers was seen') : pass(ordered, logsText(recorded)))
  );
}

/** Judges the ends of the same logs (wire-contract, SSE: the stream closes after the terminal event). */
export function judgeEveryEnd(recorded: Recordings): Outcome {
  // The run was seen to end: a document that does not show it yet lags behind, and proves nothing.
  const endless = new Set(
    runsOf(recorded)
      .filter(shouldEnd)
      .map(({ id }) => id),
  );
  const logs = sweptLogs(recorded).filter(({ id, events }) => endless.has(id) || endsOf(events).length > 0);
  // A run that is followed is left at its first end: nothing behind it would be seen there.
  const whole = new Set(readingsIn(recorded).map(({ id }) => id));
  return (
    findWrongEnd(logs) ?? (logs.some(({ id }) => whole.has(id)) ? pass(logs, logsText(recorded)) : unseenEnds(recorded))
  );
}

/** Every log of a run that ended, as it was followed and as it was read once more. */
function sweptLogs(recorded: Recordings): readonly ShownLog[] {
  const shown = runsOf(recorded).filter(showsItsLog);
  return [...shown.map(followedLog), ...readingsIn(recorded).map(logOf)];
}

function logsText(recorded: Recordings): string {
  const ended = runsOf(recorded).filter(({ problem }) => problem === null);
  const fixtures = ended.filter(({ fork }) => fork === null).length;
  return sweptText(gatherSweep(recorded), `${ended.length} logs of ${fixtures} fixtures and of their forks`);
}

const PAST_END = 'no log could be read past its end';

/** What is left where nothing could be seen behind an end: lists lack it, no list was answered, or nothing ran. */
function unseenEnds(recorded: Recordings): Outcome {
  const read = readingsIn(recorded);
  const [first] = read;
  if (first !== undefined) {
    const reason = `${PAST_END}: ${titleOf(first)} does not show the end that was seen on the way`;
    return rests(FOUNDATIONS.ends, undecidedUntil('show whole logs in lists of events', reason, read));
  }
  const ended = runsOf(recorded).filter(({ problem }) => problem === null);
  if (ended.length === 0) return unseenLogs(recorded, PAST_END);
  return undecidedUntil('answer GET of its events with JSON, or its poll', `${PAST_END}: no list was answered`, ended);
}

function unseenLogs(recorded: Recordings, why: string): Outcome {
  const { leftOut } = gatherSweep(recorded);
  return undecided([noneSwept(recorded, why), ...leftOut].join('; '), []);
}
