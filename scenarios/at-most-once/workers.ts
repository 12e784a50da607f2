import { provableSemantics } from '../../src/contract/gates.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { EffectHold, Witness } from '../../src/evidence/witness.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { callsAfter, type CallsObservation } from '../shared/witnessed-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { ONCE } from './cell.ts';
import { decisionsOn } from './crash-seams.ts';
import { CHARGE } from './fixtures.ts';
import { startHeld } from './held-run.ts';
import { type DecisionsObservation, judgeSingleOwner, WORKERS } from './workers-judge.ts';

type Seen = RunObservation | CallsObservation | DecisionsObservation;

/** Runs that two workers carry out, all at the same time. */
const RUNS = 4;

async function drive(probe: Probe): Promise<readonly Seen[]> {
  const { witness } = probe;
  if (witness === undefined) return [];
  const roles = Array.from({ length: RUNS }, (_, index) => `run ${index + 1} of two workers`);
  return (await Promise.all(roles.map((role) => driveRun(probe, witness, role)))).flat();
}

async function driveRun(probe: Probe, witness: Witness, role: string): Promise<readonly Seen[]> {
  const visit = witness.visit();
  const inputs = { witnessUrl: visit.url, toolArgs: { amount: 1 } };
  const { run } = await startHeld(probe, {
    visit,
    request: { workflowId: ONCE, inputs, configurable: { workers: WORKERS } },
    role,
    effect: CHARGE.effect,
    whileHeld: (runId, hold) => awaitSecond(probe, runId, hold),
  });
  const decisions = run.runId === null ? null : await decisionsOn(probe.host, run.runId);
  const observed: DecisionsObservation = { type: 'decisions', of: role, decisions, exchanges: run.exchanges };
  return [run, callsAfter(role, visit), observed];
}

/** How long the second worker is waited for, as a part of the time-out. */
const PATIENCE = 0.25;

/** Waits until both workers have come to the call: by the seam, else until the second one calls as well. */
async function awaitSecond(
  { host, timeoutMs, signal }: Probe,
  runId: string,
  hold: EffectHold,
): Promise<readonly Json[] | null> {
  const patienceMs = timeoutMs * PATIENCE;
  const decisions = await repeatPaced(
    () => decisionsOn(host, runId),
    (each) => each === null || each.length >= WORKERS,
    { patienceMs, signal },
  );
  if (decisions === null) await hold.arrived(WORKERS, { timeoutMs: patienceMs, signal });
  return decisions;
}

/** sem §2: who executes where two workers come to one step. */
export const workers = defineJudgedScenario<Seen>({
  id: 'once.single-owner',
  suite: 'at-most-once',
  title: 'Two workers on one run',
  checks: [
    {
      id: 'once.single-owner',
      requirement: 'once.single-owner',
      title: 'One of two workers calls the tool, the other waits or takes the recorded result',
    },
  ],
  gate: provableSemantics,
  needs: [{ kind: 'witness' }, { kind: 'fixture', workflowId: ONCE }],
  exclusive: [],
  drive,
  judge: (observations) => [judgeSingleOwner(observations)],
});
