import { fail, isOutcome, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, type SeenRun } from '../shared/need.ts';
import { nodeOf } from '../shared/node-of.ts';
import { calledTwice, faultInRun, namesOf, takeoverIn, type Worked, workedIn } from './two-workers.ts';
import { wrong } from './diagnoses.ts';
import { attemptOf, externalKeys, shownKey } from './external-key.ts';
import { CHARGE } from './fixtures.ts';
import { attemptsOf, stepsOf } from './tool-call-keys.ts';

/** The role of the run whose first worker stands still, and of its log read once more. */
export const STALLED = 'run with a worker that stands still';
export const AGAIN = 'its log, read again';

/** How the host answered the request to let a worker stand still. */
export interface StallObservation extends Observation {
  readonly type: 'stall';
  readonly name: string;
  readonly milliseconds: number;
  /** The status of the answer; null where there was none. */
  readonly answered: number | null;
  /** Why no worker was made to stand still; null where one was to. */
  readonly problem: string | null;
}

/** A run whose first worker was made to stand still. */
interface Stalled extends Worked {
  readonly stall: Recorded<StallObservation>;
  readonly again: SeenRun | undefined;
}

const NOT_OFFERED: ReadonlySet<number> = new Set([200, 201, 202, 204, 400, 404, 405, 410, 422, 501]);

/** Reads what was recorded. The seam is our own, and no document asks for it: a host without it is not judged. */
export function readStalled(recorded: readonly Recorded<Observation>[]): Stalled | Outcome {
  const stall = recorded.find((each): each is Recorded<StallObservation> => each.type === 'stall');
  if (stall === undefined) return undecided('no worker was made to stand still', []);
  const { problem, answered } = stall;
  if (problem !== null) {
    const left = answered !== null && NOT_OFFERED.has(answered) ? notApplicable : undecided;
    return left(`${problem}: no worker can be made to stand still`, [stall]);
  }
  const worked = workedIn(recorded, STALLED);
  if (isOutcome(worked)) return worked;
  return { ...worked, stall, again: runOf(recorded, AGAIN), evidence: [...worked.evidence, stall] };
}

/** Judges once.single-owner.reclaim: a worker that stood still until its lease ran out does no more. */
export function judgeStaleWorker(stalled: Stalled): Outcome {
  return calledTwice(stalled) ?? faultInRun(stalled) ?? writtenAfterEnd(stalled) ?? judgeTakeover(stalled);
}

function writtenAfterEnd({ run, again, evidence }: Stalled): Outcome | undefined {
  const all = again?.problem === null ? eventsOf(again).slice(eventsOf(run).length) : [];
  // Others may write after the end of a run, such as that it was put into an archive.
  const more = all.filter((event) => nodeOf(event) === CHARGE.nodeId || terminalStatus(event.type) !== undefined);
  if (more.length === 0) return undefined;
  const expected = `nothing more of ${CHARGE.nodeId} in ${named(run)} once it has completed`;
  const actual = more.map(({ type, sequence }) => `${type} (${sequence})`).join(', ');
  return fail({ expected, actual, diagnosis: wrong('stale-write') }, evidence);
}

function judgeTakeover({ run, calls, decisions, stall, evidence }: Stalled): Outcome {
  if (decisions === null) {
    const seam = 'POST /v1/host/sample/test/invocations';
    return undecided(`one call, but whose it was is not known: show the decisions at ${seam}`, evidence);
  }
  const takeover = takeoverIn(decisions);
  if (takeover === undefined) {
    const why = `nobody took over from a worker that stood still for ${stall.milliseconds} ms (${namesOf(decisions)})`;
    return undecided(`${why}: where leases last longer, raise --timeout`, evidence);
  }
  const { stalled, successor, lost } = takeover;
  const [key = null] = externalKeys(calls, CHARGE);
  const caller = attemptOf(key, run.runId, CHARGE);
  if (caller === undefined) {
    const why = `the call does not carry aetheris:job:step:attempt, see once.external-key: ${shownKey(key)}`;
    return undecided(why, evidence);
  }
  if (caller === stalled && lost) {
    return undecided('the worker that stood still woke up before another one had taken over', evidence);
  }
  const expected = `attempt ${successor}, which took over from ${stalled} at ${stall.name}`;
  if (caller === stalled) return fail({ expected, actual: shownKey(key), diagnosis: wrong('stale-call') }, evidence);
  if (caller !== successor) {
    return undecided(`the call names attempt ${caller}, which no decision does: ${shownKey(key)}`, evidence);
  }
  if (attemptsOf(stepsOf(run, CHARGE)).includes(stalled)) {
    const actual = `an event of attempt ${stalled} in ${named(run)}`;
    return fail({ expected, actual, diagnosis: wrong('stale-write') }, evidence);
  }
  return pass(evidence, `attempt ${caller} took over from ${stalled}, which stood still at ${stall.name}`);
}
