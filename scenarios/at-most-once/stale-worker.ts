import { advertisedFailpoints, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { fail, isOutcome, notApplicable, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, type RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { readAgain } from '../shared/run-observation.ts';
import { armStall, cutNeeds, decisionsOn, type Stall } from './crash-seams.ts';
import { callNamesIn } from './call-names.ts';
import { wrong } from './diagnoses.ts';
import { attemptOf, externalKeys, shownKey } from './external-key.ts';
import { stageOfName } from './failpoint-names.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import {
  calledTwice,
  driveWorkers,
  faultInRun,
  namesOf,
  readDecisions,
  type Takeover,
  takeoverIn,
  type Worked,
  workedIn,
  type WorkersObservation,
} from './two-workers.ts';
import { type InvocationEvent, stepsOf } from './invocation-events.ts';

/** The role of the run whose first worker stands still, and of its log read once more. */
export const STALLED = 'run with a worker that stands still';
export const AGAIN = 'its log, read again';

/** How the host answered the request to let a worker stand still. */
interface StallObservation extends Observation, Stall {
  readonly type: 'stall';
  /** The status of the answer; null where there was none. */
  readonly answered: number | null;
  /** Why no worker was made to stand still; null where one was to. */
  readonly problem: string | null;
}

type Driven = readonly (StallObservation | WorkersObservation)[];

/**
 * How long a worker stands still: twice as long as a lease, where that is known; otherwise longer than one of two seconds,
 * and longer still for a patient caller.
 */
export function stallMs(timeoutMs: number, leaseMs: number | undefined): number {
  if (leaseMs !== undefined) return Math.min(10_000, 2 * leaseMs);
  return Math.min(10_000, Math.max(3_000, Math.round(0.3 * timeoutMs)));
}

/** Where it stands still: right after it acquired the call, by the names that the host advertises. */
export function stallPoint(names: readonly string[]): string {
  return names.find((name) => stageOfName(name) === 0 && !/before/iu.test(name)) ?? 'after-acquire';
}

/** The hosts that may be killed are lent to one scenario at a time: nobody else's worker comes by. */
async function drive(probe: Probe): Promise<Driven> {
  const { crash, witness } = probe;
  if (crash === undefined || witness === undefined) return [];
  const name = stallPoint(advertisedFailpoints(readPart(probe.discovery, 'provable')));
  const observed = await crash.use(({ host, leaseMs }) => {
    const stall = { name, milliseconds: stallMs(probe.timeoutMs, leaseMs) };
    return driveStall({ ...probe, host }, stall, witness.visit());
  });
  return observed ?? [];
}

async function driveStall(probe: Probe, stall: Stall, visit: WitnessVisit): Promise<Driven> {
  const { host } = probe;
  const armed = await armStall(host, stall);
  const { problem, status: answered } = armed;
  const observed: StallObservation = { type: 'stall', ...stall, answered, problem, exchanges: [armed.exchange] };
  if (problem !== null) return [observed];
  try {
    return [observed, ...(await driveRun(probe, stall, visit))];
  } finally {
    // Where no worker came by, the next one is not to be held up.
    await armStall(host, { ...stall, milliseconds: 1 });
  }
}

/** What a stalled worker is given, beyond its time, to do what it would do. */
const GRACE_MS = 500;

async function driveRun(probe: Probe, stall: Stall, visit: WitnessVisit): Promise<readonly WorkersObservation[]> {
  const { host, signal } = probe;
  const start = performance.now();
  const isOver = async (runId: string): Promise<boolean> => {
    const decisions = readDecisions((await decisionsOn(host, runId)) ?? []);
    return visit.calls().length > 1 || takeoverIn(decisions)?.awake === true;
  };
  const whileHeld = (runId: string): Promise<boolean> => {
    const patienceMs = Math.max(0, stall.milliseconds + GRACE_MS - (performance.now() - start));
    return repeatPaced(() => isOver(runId), Boolean, { patienceMs, signal });
  };
  const patient = { ...probe, timeoutMs: Math.max(probe.timeoutMs, 2 * stall.milliseconds) };
  const observed = await driveWorkers(patient, { visit, role: STALLED, whileHeld });
  const [run] = observed;
  return run.problem === null ? [...observed, await readAgain(probe, run, { role: AGAIN })] : observed;
}

/** A run whose first worker was made to stand still. */
interface Stalled extends Worked {
  readonly stall: Recorded<StallObservation>;
  readonly again: RecordedRun | undefined;
}

const NOT_OFFERED: ReadonlySet<number> = new Set([200, 201, 202, 204, 400, 404, 405, 410, 422, 501]);

/** Reads what was recorded. The seam is our own, and no document asks for it: a host without it is not judged. */
function readStalled(recorded: Recordings): Stalled | Outcome {
  const [stall] = ofType<StallObservation>(recorded, 'stall');
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

/** A worker that stood still until its lease ran out does no more. */
function judge(stalled: Stalled): Outcome {
  return calledTwice(stalled) ?? faultInRun(stalled) ?? writtenAfterEnd(stalled) ?? judgeTakeover(stalled);
}

function writtenAfterEnd({ run, again, evidence }: Stalled): Outcome | undefined {
  const all = again?.problem === null ? eventsOf(again).slice(eventsOf(run).length) : [];
  // Others may write after the end of a run, such as that it was put into an archive.
  const more = all.filter((event) => nodeOf(event) === CHARGE.nodeId || endsRun(event));
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
    const stood = `a worker that stood still for ${stall.milliseconds} ms (${namesOf(decisions)})`;
    const isTaken = decisions.filter(({ owns }) => owns).length > 1;
    const why = isTaken
      ? `who took over from ${stood} is not known: let a reclaim change the attempt of the decision and of the call`
      : `nobody took over from ${stood}: where leases last longer, raise --timeout`;
    return undecided(why, evidence);
  }
  const { stalled, shared, successor, lost } = takeover;
  const [key = null] = externalKeys(calls, CHARGE);
  const caller = attemptOf(key, callNamesIn(run, CHARGE));
  if (caller === undefined) {
    const why = `the call does not carry aetheris:job:step:attempt, see once.external-key: ${shownKey(key)}`;
    return undecided(why, evidence);
  }
  if (caller === stalled && (lost || shared)) {
    return undecided('the worker that stood still woke up before another one had taken over', evidence);
  }
  const expected = `attempt ${successor}, which took over from ${stalled} at ${stall.name}`;
  if (caller === stalled) return fail({ expected, actual: shownKey(key), diagnosis: wrong('stale-call') }, evidence);
  if (caller !== successor) {
    return undecided(`the call names attempt ${caller}, which no decision does: ${shownKey(key)}`, evidence);
  }
  const stale = staleWriteIn(stepsOf(run, CHARGE), { stalled, successor });
  if (stale !== undefined) {
    const { type, sequence } = stale.event;
    const actual = `${type} (${sequence}) of attempt ${stalled} in ${named(run)}`;
    return fail({ expected, actual, diagnosis: wrong('stale-write') }, evidence);
  }
  return pass(evidence, `attempt ${caller} took over from ${stalled}, which stood still at ${stall.name}`);
}

/**
 * The first event that the worker which stood still wrote once it had lost its call: of a result or a commit in any case, of a
 * start behind the successor's first event. A host may declare a call before it acquires it.
 */
function staleWriteIn(
  steps: readonly InvocationEvent[],
  { stalled, successor }: Pick<Takeover, 'stalled' | 'successor'>,
): InvocationEvent | undefined {
  const claimed = steps.find(({ attemptId }) => attemptId === successor)?.index ?? Infinity;
  return steps.find(({ attemptId, step, index }) => attemptId === stalled && (step !== 'started' || index > claimed));
}

/** sem §2: what a worker does that stood still until its lease had run out. */
export const staleWorker = defineScenario({
  id: 'once.single-owner.reclaim',
  suite: 'at-most-once',
  title: 'A worker that stands still until another one has taken its call over',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  drive,
  see: readStalled,
  checks: [
    {
      id: 'once.single-owner.reclaim',
      title: 'The worker that took over calls the tool once, and the other one does nothing when it wakes up',
      judge,
    },
  ],
});
