import { advertisedFailpoints, readDiscovery } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { readAgain } from '../shared/run-observation.ts';
import { armStall, cutNeeds, decisionsOn, FAILPOINT_SEAM, type Stall } from './crash-seams.ts';
import { stageOfName } from './failpoint-names.ts';
import { ONCE } from './fixtures.ts';
import { faultIn } from './observation-shapes.ts';
import { AGAIN, judgeStaleWorker, readStalled, STALLED, type StallObservation } from './stale-worker-judge.ts';
import { driveWorkers, readDecisions, takeoverIn, type WorkersObservation } from './two-workers.ts';

type Seen = StallObservation | WorkersObservation;

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
async function drive(probe: Probe): Promise<readonly Seen[]> {
  const { crash, witness } = probe;
  if (crash === undefined || witness === undefined) return [];
  const name = stallPoint(advertisedFailpoints(readDiscovery(probe.discovery)));
  const seen = await crash.use(({ host, leaseMs }) => {
    const stall = { name, milliseconds: stallMs(probe.timeoutMs, leaseMs) };
    return driveStall({ ...probe, host }, stall, witness.visit());
  });
  return seen ?? [];
}

async function driveStall(probe: Probe, stall: Stall, visit: WitnessVisit): Promise<readonly Seen[]> {
  const { host } = probe;
  const armed = await armStall(host, stall);
  const unknown = armed.offered ? null : `POST ${FAILPOINT_SEAM} does not know the action stall`;
  const observed: StallObservation = {
    type: 'stall',
    ...stall,
    answered: armed.ok ? 200 : armed.status,
    problem: armed.ok ? unknown : armed.reason,
    exchanges: [armed.exchange],
  };
  if (observed.problem !== null) return [observed];
  try {
    return [observed, ...(await driveRun(probe, stall, visit))];
  } finally {
    // Where no worker came by, the next one is not to be held up.
    await armStall(host, { ...stall, milliseconds: 1 });
  }
}

/** What a stalled worker is given, beyond its time, to do what it would do. */
const GRACE_MS = 500;

async function driveRun(probe: Probe, stall: Stall, visit: WitnessVisit): Promise<readonly Seen[]> {
  const { host, signal } = probe;
  const start = performance.now();
  const isOver = async (runId: string): Promise<boolean> => {
    const decisions = readDecisions((await decisionsOn(host, runId)) ?? []);
    return visit.calls().length > 1 || takeoverIn(decisions)?.awake === true;
  };
  const patient = { ...probe, timeoutMs: Math.max(probe.timeoutMs, 2 * stall.milliseconds) };
  const seen = await driveWorkers(patient, {
    visit,
    role: STALLED,
    whileHeld: (runId) => {
      const patienceMs = Math.max(0, stall.milliseconds + GRACE_MS - (performance.now() - start));
      return repeatPaced(
        () => isOver(runId),
        (done) => done,
        { patienceMs, signal },
      );
    },
  });
  const [run] = seen;
  return run.problem === null ? [...seen, await readAgain(probe, run, { role: AGAIN })] : seen;
}

/** sem §2: what a worker does that stood still until its lease had run out. */
export const staleWorker = defineScenario({
  id: 'once.single-owner.reclaim',
  suite: 'at-most-once',
  title: 'A worker that stands still until another one has taken its call over',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  drive,
  faultIn,
  see: readStalled,
  checks: [
    {
      id: 'once.single-owner.reclaim',
      title: 'The worker that took over calls the tool once, and the other one does nothing when it wakes up',
      judge: judgeStaleWorker,
    },
  ],
});
