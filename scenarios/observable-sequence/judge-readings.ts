import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { runsIn, type AnyRun } from '../shared/every-run.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { endsOf, findDisorder, findWrongEnd, numbersOf, type Fault, type ShownLog } from './shown-log.ts';

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

/**
 * Judges numbers reading by reading, and those of every log that any scenario followed: unique and increasing is hard, gaps
 * are told (readings, Fork and prefix).
 */
export function judgeMonotonic(observations: Observations, everything: Everything = []): Judgement {
  const check = 'sequence.monotonic';
  const read = readingsIn(observations);
  const followed = followedIn(everything);
  const fault = findDisorder(read.map(logOf)) ?? followed.find(({ disorder }) => disorder !== undefined)?.disorder;
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
  const gaps = gap === undefined ? [] : [`the numbers have gaps: ${gap.numbers.slice(0, 20).join(', ')}`];
  const reason = [...gaps, ...others(followed)].join('; ');
  return { check, verdict: 'pass', ...(reason === '' ? {} : { reason }), evidence };
}

/**
 * Judges the end of every reading, and of every log that any scenario followed (wire-contract, SSE: the stream closes after
 * the terminal event).
 */
export function judgeTerminal(observations: Observations, everything: Everything = []): Judgement {
  const check = 'sequence.single-terminal-event';
  const read = readingsIn(observations).filter(({ events }) => events.length > 0);
  const followed = followedIn(everything).filter(({ hasEnd }) => hasEnd);
  const fault = findWrongEnd(read.map(logOf)) ?? followed.find(({ wrongEnd }) => wrongEnd !== undefined)?.wrongEnd;
  if (fault !== undefined) return { check, verdict: 'fail', ...fault };
  if (read.length === 0) return unread(check, observations);
  const runs = [...new Set(read.map(({ run }) => run))];
  const reason = [`seen: ${runs.join(', ')}`, ...others(followed)].join('; ');
  return { check, verdict: 'pass', reason, evidence: read.map(({ id }) => id) };
}

/** What both rows say of a log that was followed: it is unpacked once where it is long. */
interface Followed {
  readonly disorder: Fault | undefined;
  readonly hasEnd: boolean;
  readonly wrongEnd: Fault | undefined;
}

const judgedLogs = new WeakMap<AnyRun, Followed>();

/** The logs of runs that were followed to their ends, forks included; those of the sweep have rows of their own. */
function followedIn(everything: Everything): readonly Followed[] {
  const runs = runsIn(everything).filter(({ scenario, problem }) => problem === null && scenario !== SWEEP);
  return runs.map((run) => {
    const known = judgedLogs.get(run);
    if (known !== undefined) return known;
    const { id, title, events } = followedLog(run);
    const log = { id, title, events };
    const hasEnd = endsOf(events).length > 0;
    const judged = { disorder: findDisorder([log]), hasEnd, wrongEnd: hasEnd ? findWrongEnd([log]) : undefined };
    judgedLogs.set(run, judged);
    return judged;
  });
}

const SWEEP = 'sequence.sweep';

function others(followed: readonly Followed[]): readonly string[] {
  return followed.length === 0 ? [] : [`and ${followed.length} logs that were followed`];
}

/** The log of a run as it was followed. */
export function followedLog(run: Recorded<RunObservation>): ShownLog {
  return {
    id: run.id,
    title: `the log of ${named(run)}`,
    get events() {
      return run.events.map((data) => ({ id: null, name: null, data }));
    },
  };
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
