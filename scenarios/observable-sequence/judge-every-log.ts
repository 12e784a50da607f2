import type { Judgement } from '../../src/contract/verdict.ts';
import { followedLog, logOf, readingsIn, type Observations } from './judge-readings.ts';
import { endsOf, findDisorder, findWrongEnd, numbersOf, type ShownLog } from './shown-log.ts';
import { gatherSweep, runsIn, type SeenRun } from './swept-log.ts';

/** Judges the numbers of every log that a sweep saw, sources and forks alike (replay.md, Why). */
export function judgeEveryNumber(observations: Observations): Judgement {
  const check = 'sequence.monotonic.every-log';
  const logs = logsIn(observations);
  const fault = findDisorder(logs);
  if (fault !== undefined) return { check, verdict: 'fail', ...fault };
  // One event alone is in order whatever its number is.
  const ordered = logs.filter((log) => (numbersOf(log) ?? []).length > 1);
  if (ordered.length === 0) return unseenLogs(check, observations, 'no log with numbers was seen');
  return { check, verdict: 'pass', reason: reasonOf(observations), evidence: ordered.map(({ id }) => id) };
}

/** Judges the ends of the same logs (wire-contract, SSE: the stream closes after the terminal event). */
export function judgeEveryEnd(observations: Observations): Judgement {
  const check = 'sequence.single-terminal-event.every-log';
  // The run was seen to end: a document that does not show it yet lags behind, and proves nothing.
  const logs = logsIn(observations).filter(({ events }) => endsOf(events).length > 0);
  const fault = findWrongEnd(logs);
  if (fault !== undefined) return { check, verdict: 'fail', ...fault };
  // A run that is followed is left at its first end: nothing behind it would be seen there.
  const whole = new Set(readingsIn(observations).map(({ id }) => id));
  if (!logs.some(({ id }) => whole.has(id))) {
    return unseenLogs(check, observations, 'no log could be read past its end');
  }
  return { check, verdict: 'pass', reason: reasonOf(observations), evidence: logs.map(({ id }) => id) };
}

/** Every log of a run that ended, as it was followed and as it was read once more. */
function logsIn(observations: Observations): readonly ShownLog[] {
  return [...endedRuns(observations).map(followedLog), ...readingsIn(observations).map(logOf)];
}

function endedRuns(observations: Observations): readonly SeenRun[] {
  return runsIn(observations).filter(({ problem }) => problem === null);
}

function reasonOf(observations: Observations): string {
  const runs = endedRuns(observations);
  const fixtures = runs.filter(({ fork }) => fork === null).length;
  const { leftOut } = gatherSweep(runsIn(observations));
  const rest = leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`;
  return `${runs.length} logs of ${fixtures} fixtures and of their forks${rest}`;
}

function unseenLogs(check: string, observations: Observations, why: string): Judgement {
  const { leftOut } = gatherSweep(runsIn(observations));
  const reason = [`${why}: seed conformance-noop, or better all of fixtures/`, ...leftOut].join('; ');
  return { check, verdict: 'inconclusive', reason, evidence: [] };
}
