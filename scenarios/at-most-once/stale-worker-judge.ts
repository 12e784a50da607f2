import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import { nodeOf } from '../shared/node-of.ts';
import { type CallsObservation, callsOf, notCalled } from '../shared/witnessed-run.ts';
import { attemptOf, externalKeys, shownKey } from './external-key.ts';
import { CHARGE } from './fixtures.ts';
import { takeoverIn } from './takeover.ts';
import { attemptsOf, stepsOf } from './tool-call-keys.ts';
import { type DecisionsObservation, decisionsOf, faultInLog, nameOf } from './workers-judge.ts';

/** The role of the run whose first worker stands still, and of its log read once more. */
export const STALLED = 'run with a worker that stands still';
export const AGAIN = 'its log, read again';

/** How the host was told to let a worker stand still. */
export interface StallObservation extends Observation {
  readonly type: 'stall';
  readonly name: string;
  readonly milliseconds: number;
  /** The status of the answer; null where there was none. */
  readonly answered: number | null;
  /** Why no worker was made to stand still; null where one was to. */
  readonly problem: string | null;
}

const CHECK = 'once.single-owner.reclaim';

const CALLED = { code: 'duplicate-call', message: 'a worker whose lease ran out called the tool as well (sem §2)' };
const STALE_CALL = {
  code: 'stale-call',
  message: 'the tool was called under the attempt of the worker that had lost the call (sem §4.2)',
};
const STALE_WRITE = {
  code: 'stale-write',
  message: 'a worker wrote into the log after another one had taken the call over (sem §2, §3)',
};

/** Judges once.single-owner.reclaim: a worker that stood still until its lease ran out does no more. */
export function judgeStaleWorker(observations: readonly Recorded<Observation>[]): Judgement {
  const stall = observations.find((each): each is Recorded<StallObservation> => each.type === 'stall');
  if (stall === undefined) return undecided(CHECK, 'no worker was made to stand still', []);
  if (stall.problem !== null) return unstalled(stall, stall.problem);
  const run = runsOf(observations).find(({ role }) => role === STALLED);
  const calls = callsOf(observations, STALLED);
  const seen = run === undefined ? undefined : decisionsOf(observations, run);
  if (run === undefined || calls === undefined || seen === undefined) {
    return undecided(CHECK, 'no run was driven', [stall]);
  }
  const again = runsOf(observations).find(({ role }) => role === AGAIN);
  const evidence = [calls, run, seen, stall];
  return faultOf({ run, calls, again, evidence }) ?? judgeTakeover({ run, calls, seen, stall, evidence });
}

/** The seam is our own, and no document asks for it: a host without it is not judged by this check. */
function unstalled(stall: Recorded<StallObservation>, problem: string): Judgement {
  const isAbsent = stall.answered !== null && NOT_OFFERED.has(stall.answered);
  const judgement = undecided(CHECK, `${problem}: no worker can be made to stand still`, [stall]);
  return isAbsent ? { ...judgement, verdict: 'not-applicable' } : judgement;
}

const NOT_OFFERED: ReadonlySet<number> = new Set([200, 201, 202, 204, 400, 404, 405, 410, 422, 501]);

interface Seen {
  readonly run: SeenRun;
  readonly calls: Recorded<CallsObservation>;
  readonly evidence: readonly { readonly id: string }[];
}

/** What must not be, however many workers there were; or that the run was not seen. */
function faultOf({ run, calls, again, evidence }: Seen & { readonly again: SeenRun | undefined }) {
  if (calls.calls.length > 1) {
    const expected = `one call of the tool in ${named(run)}`;
    return failing(CHECK, { expected, actual: `${calls.calls.length} calls`, diagnosis: CALLED }, evidence);
  }
  const missing = unseen(CHECK, [run]);
  if (missing !== undefined) return missing;
  if (calls.calls.length === 0) return undecided(CHECK, notCalled(calls), evidence);
  const fault = faultInLog(CHECK, run, { evidence, calls });
  if (fault !== undefined) return fault;
  const all = again?.problem === null ? eventsOf(again).slice(eventsOf(run).length) : [];
  // Others may write after the end of a run, such as that it was put into an archive.
  const more = all.filter((event) => nodeOf(event) === CHARGE.nodeId || terminalStatus(event.type) !== undefined);
  if (more.length === 0) return undefined;
  const expected = `nothing more of ${CHARGE.nodeId} in ${named(run)} once it has completed`;
  const actual = more.map(({ type, sequence }) => `${type} (${sequence})`).join(', ');
  return failing(CHECK, { expected, actual, diagnosis: STALE_WRITE }, evidence);
}

interface Stalled extends Seen {
  readonly seen: Recorded<DecisionsObservation>;
  readonly stall: StallObservation;
}

function judgeTakeover({ run, calls, seen, stall, evidence }: Stalled): Judgement {
  if (seen.decisions === null) {
    const seam = 'POST /v1/host/sample/test/invocations';
    return undecided(CHECK, `one call, but whose it was is not known: show the decisions at ${seam}`, evidence);
  }
  const takeover = takeoverIn(seen.decisions);
  if (takeover === undefined) {
    const shown = seen.decisions.map(nameOf).join(', ') || 'no decision';
    const why = `nobody took over from a worker that stood still for ${stall.milliseconds} ms (${shown})`;
    return undecided(CHECK, `${why}: where leases last longer, raise --timeout`, evidence);
  }
  const { stalled, successor, lost } = takeover;
  const [key = null] = externalKeys(calls, CHARGE);
  const caller = attemptOf(key, run.runId, CHARGE);
  if (caller === undefined) {
    const why = `the call does not carry aetheris:job:step:attempt, see once.external-key: ${shownKey(key)}`;
    return undecided(CHECK, why, evidence);
  }
  if (caller === stalled && lost) {
    return undecided(CHECK, 'the worker that stood still woke up before another one had taken over', evidence);
  }
  const expected = `attempt ${successor}, which took over from ${stalled} at ${stall.name}`;
  if (caller === stalled) {
    return failing(CHECK, { expected, actual: shownKey(key), diagnosis: STALE_CALL }, evidence);
  }
  if (caller !== successor) {
    return undecided(CHECK, `the call names attempt ${caller}, which no decision does: ${shownKey(key)}`, evidence);
  }
  if (attemptsOf(stepsOf(run, CHARGE)).includes(stalled)) {
    const actual = `an event of attempt ${stalled} in ${named(run)}`;
    return failing(CHECK, { expected, actual, diagnosis: STALE_WRITE }, evidence);
  }
  return passing(CHECK, evidence, `attempt ${caller} took over from ${stalled}, which stood still at ${stall.name}`);
}
