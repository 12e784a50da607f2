import { provableSemantics } from '../../src/contract/gates.ts';
import { fail, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { EffectHold } from '../../src/evidence/witness.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { runsOf, leftUndriven } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { evidenceOf } from '../shared/settle.ts';
import { decisionsOn } from './crash-seams.ts';
import {
  calledTwice,
  driveWorkers,
  faultInRun,
  namesOf,
  type Worked,
  workedIn,
  WORKERS,
  type WorkersObservation,
} from './two-workers.ts';
import { wrong } from './diagnoses.ts';
import { ONCE } from './fixtures.ts';

/** Runs that two workers carry out, all at the same time. */
const RUNS = 4;

async function drive(probe: Probe): Promise<readonly WorkersObservation[]> {
  const { witness } = probe;
  if (witness === undefined) return [];
  const roles = Array.from({ length: RUNS }, (_, index) => `run ${index + 1} of two workers`);
  const whileHeld = (runId: string, hold: EffectHold) => awaitSecond(probe, runId, hold);
  const runs = roles.map((role) => driveWorkers(probe, { visit: witness.visit(), role, whileHeld }));
  return (await Promise.all(runs)).flat();
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
  const decisions = await repeatPaced(() => decisionsOn(host, runId), haveBothCome, { patienceMs, signal });
  if (decisions === null) await hold.arrived(WORKERS, { timeoutMs: patienceMs, signal });
  return decisions;
}

function haveBothCome(decisions: readonly Json[] | null): boolean {
  return decisions === null || decisions.length >= WORKERS;
}

/** One call, one owner, one set of events for each run. */
function judge(recorded: Recordings): Outcome {
  const runs = runsOf(recorded);
  const worked = runs.map(({ role }) => workedIn(recorded, role));
  const outcomes = worked.map((each) => (isOutcome(each) ? each : judgeRun(each)));
  const passed = outcomes.filter(({ kind }) => kind === 'pass');
  const isWhole = !worked.some(isOutcome) && runs.every(({ problem }) => problem === null);
  // A run that its second worker came too late for decides nothing beside runs where it did not.
  const open = isWhole && passed.length > 0 ? undefined : outcomes.find(({ kind }) => kind !== 'pass');
  const decisive = outcomes.find(({ kind }) => kind === 'fail') ?? open;
  if (decisive !== undefined) return decisive;
  if (passed.length === 0) return leftUndriven('run of two workers');
  return pass(passed.flatMap(evidenceOf), `${passed.length} of ${runs.length} runs were seen by two workers at once`);
}

function judgeRun(worked: Worked): Outcome {
  return calledTwice(worked) ?? twoOwners(worked) ?? faultInRun(worked) ?? judgeDecisions(worked);
}

/** Two attempts that may execute; one that asked again and was told the same is one owner. */
function twoOwners({ run, decisions, evidence }: Worked): Outcome | undefined {
  const owners = decisions?.filter(({ owns }) => owns) ?? [];
  const attempts = new Set(owners.map(({ attempt }) => attempt));
  if (decisions === null || owners.length <= 1 || (attempts.size === 1 && !attempts.has(''))) return undefined;
  if (attempts.has('')) {
    const why = `${named(run)} shows ${namesOf(decisions)}, and not whose each decision was`;
    return undecidedUntil('show the attempt of each decision', why, evidence);
  }
  const expected = `one AllowExecute in ${named(run)}`;
  return fail({ expected, actual: namesOf(decisions), diagnosis: wrong('two-owners') }, evidence);
}

const KNOWN: ReadonlySet<string> = new Set(['waitotherworker', 'returnrecordedresult', 'rejected']);

function judgeDecisions({ run, decisions, evidence }: Worked): Outcome {
  if (decisions === null) {
    const why = `one call, but whether ${WORKERS} workers came to it is not known: carry a run out by configurable.workers`;
    const seam = 'POST /v1/host/sample/test/invocations with {runId}';
    return undecided(`${why} and show their decisions at ${seam}`, evidence);
  }
  const others = decisions.filter(({ owns }) => !owns);
  if (others.length === 0 || others.length === decisions.length) {
    return undecided(`${named(run)} shows ${namesOf(decisions)}: not two workers that came to one call`, evidence);
  }
  const strange = others.find(({ word }) => !KNOWN.has(word));
  if (strange !== undefined) return undecided(`the decision ${strange.name} of ${named(run)} is not known`, evidence);
  return pass(evidence);
}

/** sem §2: who executes where two workers come to one step. */
export const workers = defineScenario<WorkersObservation>({
  id: 'once.single-owner',
  suite: 'at-most-once',
  title: 'Two workers on one run',
  gate: provableSemantics,
  needs: [{ kind: 'witness' }, { kind: 'fixture', workflowId: ONCE }],
  drive,
  checks: [
    {
      id: 'once.single-owner',
      title: 'One of two workers calls the tool, the other waits or takes the recorded result',
      judge,
    },
  ],
});
