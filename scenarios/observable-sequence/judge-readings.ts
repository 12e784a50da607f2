import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { findDisorder, findWrongEnd, numbersOf, type ShownLog } from './shown-log.ts';

export type Observations = readonly Recorded<Observation>[];
export type SeenReading = Recorded<ReadingObservation>;

/** The readings among a scenario's observations. */
export function readingsIn(observations: Observations): readonly SeenReading[] {
  return observations.filter((each): each is SeenReading => each.type === 'reading');
}

/** A reading in words. */
export function titleOf({ transport, how, after, run, runId }: ReadingObservation): string {
  const from = how === 'resumed' ? `resumed after ${String(after)}` : how === 'again' ? 'read again' : 'from the start';
  return `the ${transport} reading (${from}) of the ${run} ${runId}`;
}

/** What is left where no reading was made. */
export function unread(check: string, observations: Observations): Judgement {
  return (
    unseen(check, [runOf(observations, 'run')]) ?? {
      check,
      verdict: 'inconclusive',
      reason: 'the log of an ended run could be read over no transport',
      evidence: [],
    }
  );
}

/** Judges numbers reading by reading: unique and increasing is hard, gaps are told (readings, Fork and prefix). */
export function judgeMonotonic(observations: Observations): Judgement {
  const check = 'sequence.monotonic';
  const read = readingsIn(observations);
  const fault = findDisorder(read.map(logOf));
  if (fault !== undefined) return { check, verdict: 'fail', ...fault };
  const numbered = read.flatMap((reading) => {
    const numbers = numbersOf(reading);
    return numbers === undefined ? [] : [{ reading, numbers }];
  });
  const longest = Math.max(0, ...numbered.map(({ numbers }) => numbers.length));
  if (longest < 2) return unread(check, observations);
  const gap = numbered.find(
    ({ reading, numbers }) =>
      !reading.partial && numbers.some((each, index) => index > 0 && each !== (numbers[index - 1] ?? each) + 1),
  );
  const evidence = numbered.map(({ reading }) => reading.id);
  const reason = gap === undefined ? undefined : `the numbers have gaps: ${gap.numbers.slice(0, 20).join(', ')}`;
  return { check, verdict: 'pass', ...(reason === undefined ? {} : { reason }), evidence };
}

/** Judges the end of every reading (wire-contract, SSE: the stream closes after the terminal event). */
export function judgeTerminal(observations: Observations): Judgement {
  const check = 'sequence.single-terminal-event';
  const read = readingsIn(observations).filter(({ events }) => events.length > 0);
  const fault = findWrongEnd(read.map(logOf));
  if (fault !== undefined) return { check, verdict: 'fail', ...fault };
  if (read.length === 0) return unread(check, observations);
  const runs = [...new Set(read.map(({ run }) => run))];
  return { check, verdict: 'pass', reason: `seen: ${runs.join(', ')}`, evidence: read.map(({ id }) => id) };
}

/** A reading as a log to judge. */
export function logOf(reading: SeenReading): ShownLog {
  return {
    id: reading.id,
    title: titleOf(reading),
    get events() {
      return reading.events;
    },
  };
}
