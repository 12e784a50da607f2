import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, comparePrefixes, eventsOf, isAboutReplay, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { declared } from '../shared/declared.ts';
import type { SeenRun } from './swept-log.ts';

const check = 'sequence.not-a-copy';
type Observations = readonly Recorded<Observation>[];
type Volatile = readonly string[];

/** The values of the constant in the two revisions. */
const [FIRST, SECOND] = ['"first"', '"second"'];

/** Judges by the changed workflow where the host let it be changed, else by the clock that nobody records. */
export function judgeNotACopy(observations: Observations, volatile: Volatile): Judgement {
  const [source, revised] = [runOf(observations, 'source'), runOf(observations, 'revised replay')];
  const fresh = runOf(observations, 'fresh run');
  if (source === undefined || revised === undefined || fresh === undefined) {
    return judgeWallClock(observations, volatile);
  }
  const missing = unseen(check, [source, fresh, revised]);
  if (missing !== undefined) return missing;
  const evidence = [revised, source, fresh].map(({ id }) => id);
  const inconclusive = (reason: string): Judgement => ({ check, verdict: 'inconclusive', reason, evidence });
  if (!shows(source, FIRST) || shows(source, SECOND) || !shows(fresh, SECOND)) {
    return inconclusive('the two revisions of conformance-determinism-constant do not show different values');
  }
  const whole = compareLogs(source, revised, volatile);
  if (whole.kind === 'unreadable') return inconclusive(whole.reason);
  if (whole.kind === 'same') return copied(source, revised, evidence);
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

/** Judges that what stands before the fork point is the source's, whatever the code is by now (replay.md, Two modes). */
export function judgeHistory(observations: Observations, volatile: Volatile): Judgement {
  const id = 'sequence.prefix-equal.changed-code';
  const [source, rest] = [runOf(observations, 'source'), runOf(observations, 'revised replay of the rest')];
  const why = needOf(observations, 'expose the seam workflow-revision with conformance-determinism-constant');
  if (source === undefined || rest === undefined) {
    return { check: id, verdict: 'inconclusive', reason: why, evidence: [] };
  }
  const missing = unseen(id, [source, rest]);
  if (missing !== undefined) return missing;
  const evidence = [rest.id, source.id];
  const compared = comparePrefixes(source, rest, rest.fork?.fromSeq ?? 0, volatile);
  if (compared.kind === 'different') return { check: id, verdict: 'fail', ...compared.mismatch, evidence };
  if (compared.kind === 'unreadable') {
    return { check: id, verdict: 'inconclusive', reason: compared.reason, evidence };
  }
  return declared({ check: id, verdict: 'pass', evidence }, volatile);
}

/** What is needed, and why it was not there. */
function needOf(observations: Observations, need: string): string {
  const changed = observations.find(
    (each): each is Recorded<Observation & { readonly problem: string | null }> => each.type === 'revision',
  );
  return `${need} (${changed?.problem ?? runOf(observations, 'source')?.problem ?? 'not driven'})`;
}

function judgeWallClock(observations: Observations, volatile: Volatile): Judgement {
  const [source, replay] = [runOf(observations, 'wall-clock source'), runOf(observations, 'wall-clock replay')];
  const seam = 'expose the seam workflow-revision with conformance-determinism-constant';
  const why = needOf(observations, `${seam}, or seed conformance-determinism-wall-clock`);
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
  if (compared.kind === 'unreadable') return { check, verdict: 'inconclusive', reason: compared.reason, evidence };
  return {
    check,
    verdict: 'fail',
    expected: `another time in ${named(replay)}: its node reads the machine's clock, to the nanosecond, each time it runs`,
    actual: `the log of ${named(source)}, event for event`,
    diagnosis: { code: 'copied-log', message: 'the replay shows the events of its source without executing' },
    evidence,
  };
}

function unseenReplay(reason: string): Judgement {
  return { check, verdict: 'inconclusive', reason, evidence: [] };
}
