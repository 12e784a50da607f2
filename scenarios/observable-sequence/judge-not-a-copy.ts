import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, comparePrefixes, eventsOf, isAboutReplay, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { SeenRun } from './swept-log.ts';

const check = 'sequence.not-a-copy';
type Observations = readonly Recorded<Observation>[];
type Volatile = readonly string[];

/** The values of the constant in the two revisions. */
const [FIRST, SECOND] = ['"first"', '"second"'];

/** Judges by the changed workflow where the host let it be changed, else by the clock that nobody records. */
export function judgeNotACopy(observations: Observations, volatile: Volatile): Judgement {
  const [source, revised] = [runOf(observations, 'source'), runOf(observations, 'revised replay')];
  const [fresh, rest] = [runOf(observations, 'fresh run'), runOf(observations, 'revised replay of the rest')];
  if (source === undefined || revised === undefined || fresh === undefined) {
    return judgeWallClock(observations, volatile);
  }
  const missing = unseen(check, [source, fresh, revised, ...(rest === undefined ? [] : [rest])]);
  if (missing !== undefined) return missing;
  const evidence = [revised, source, fresh, ...(rest === undefined ? [] : [rest])].map(({ id }) => id);
  const inconclusive = (reason: string): Judgement => ({ check, verdict: 'inconclusive', reason, evidence });
  if (!shows(source, FIRST) || shows(source, SECOND) || !shows(fresh, SECOND)) {
    return inconclusive('the two revisions of conformance-determinism-constant do not show different values');
  }
  const whole = compareLogs(source, revised, volatile);
  if (whole.kind === 'unreadable') return inconclusive(whole.reason);
  if (whole.kind === 'same') return copied(source, revised, evidence);
  const fixed = rest === undefined ? undefined : judgeHistory(source, rest, volatile);
  if (fixed !== undefined) return fixed;
  const says = shows(revised, SECOND) || eventsOf(revised).some(isAboutReplay);
  if (says) return { check, verdict: 'pass', reason: 'seen by a changed workflow', evidence };
  return inconclusive('the replay by changed code differs from its source, but shows nothing of the new code');
}

function shows({ events, snapshot }: SeenRun, value: string): boolean {
  return JSON.stringify([events, snapshot]).includes(value);
}

function copied(source: SeenRun, replay: SeenRun, evidence: readonly string[]): Judgement {
  return {
    check,
    verdict: 'fail',
    expected: `a replay by the current code, which gives the constant ${SECOND}`,
    actual: `${named(replay)} holds the events of ${named(source)} with the constant ${FIRST}`,
    diagnosis: { code: 'copied-log', message: 'the replay is a copy of the log: nothing was executed' },
    evidence,
  };
}

/** What stands before the fork point is the source's, whatever the code is by now. */
function judgeHistory(source: SeenRun, rest: SeenRun, volatile: Volatile): Judgement | undefined {
  const compared = comparePrefixes(source, rest, rest.fork?.fromSeq ?? 0, volatile);
  if (compared.kind !== 'different') return undefined;
  return { check, verdict: 'fail', ...compared.mismatch, evidence: [rest.id, source.id] };
}

function judgeWallClock(observations: Observations, volatile: Volatile): Judgement {
  const [source, replay] = [runOf(observations, 'wall-clock source'), runOf(observations, 'wall-clock replay')];
  const changed = observations.find(
    (each): each is Recorded<Observation & { problem: string | null }> => each.type === 'revision',
  );
  const why = `expose the seam workflow-revision with conformance-determinism-constant, or seed conformance-determinism-wall-clock (${changed?.problem ?? runOf(observations, 'source')?.problem ?? 'not driven'})`;
  if (source === undefined || source.problem !== null) {
    return { check, verdict: 'inconclusive', reason: why, evidence: [] };
  }
  const missing = unseen(check, [replay]);
  if (missing !== undefined || replay === undefined) return missing ?? unseenReplay(why);
  const evidence = [replay.id, source.id];
  const compared = compareLogs(source, replay, volatile);
  if (compared.kind === 'different') {
    return { check, verdict: 'pass', reason: 'seen by a clock that the engine does not read', evidence };
  }
  const reason = compared.kind === 'unreadable' ? compared.reason : `the clock reads the same on replay; ${why}`;
  return { check, verdict: 'inconclusive', reason, evidence };
}

function unseenReplay(reason: string): Judgement {
  return { check, verdict: 'inconclusive', reason, evidence: [] };
}
