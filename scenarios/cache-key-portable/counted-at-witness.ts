import { phase4 } from '../../src/contract/gates.ts';
import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { notVisited } from '../../src/contract/remedy.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { leftWithout, runOf, type RecordedRun, leftUndriven } from '../shared/need.ts';
import { offersMode, startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { callsAfter, callsOf, type CallsObservation } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';
import { validIn } from './llm-fixture.ts';
import { unobservedText } from '../shared/unobserved.ts';

const id = 'cache-key.not-a-security-boundary.counted-at-witness';
const workflowId = 'conformance-determinism-llm-provider';

/** What the model at the witness answers to each tenant: nothing but what the fixture's schema names. */
const ANSWERS = { first: '{"valid":true}', second: '{"valid":false}' } as const;

type Tenant = keyof typeof ANSWERS;

const RUNS = { first: 'run of the first tenant', second: 'run of the second tenant' } as const;
const REPLAY = "replay of the second tenant's run";
const AT_ONCE = {
  first: 'run of the first tenant whose answer is held back',
  second: 'run of the second tenant at the same time',
} as const;
/** How long the second of them may take to call its model, as a part of the time-out. */
const PATIENCE = 0.25;

interface WitnessedRun {
  readonly run: RunObservation;
  readonly visit: WitnessVisit;
}

/** The same request to the same model, for which the witness has another answer for each tenant. */
async function runAs(probe: Probe, handle: HostHandle, tenant: Tenant): Promise<WitnessedRun | undefined> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return undefined;
  visit.stageChat([{ kind: 'valid', content: ANSWERS[tenant] }]);
  const request = { workflowId, inputs: { witnessUrl: visit.url } };
  return { run: await startRun(probe, request, { role: RUNS[tenant], handle }), visit };
}

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { otherTenant } = probe;
  const own = otherTenant === undefined ? undefined : await runAs(probe, probe.host, 'first');
  if (otherTenant === undefined || own === undefined) return [];
  const observations: Observation[] = [own.run, callsAfter(RUNS.first, own.visit)];
  const other = own.run.problem === null ? await runAs(probe, otherTenant, 'second') : undefined;
  if (other === undefined) return observations;
  observations.push(other.run, callsAfter(RUNS.second, other.visit));
  if (other.run.problem === null && chatsOf(other.visit) > 0) {
    observations.push(...(await runAtOnce(probe, probe.witness, otherTenant)));
  }
  if (!offersMode(probe.discovery, 'replay')) return observations;
  const replay = await startFork(probe, other.run, { mode: 'replay' }, { role: REPLAY, handle: otherTenant });
  return [...observations, replay, callsAfter(REPLAY, other.visit)];
}

function chatsOf(visit: WitnessVisit): number {
  return visit.calls().filter(({ kind }) => kind === 'chat').length;
}

/** Runs of both tenants of which the second begins while the first waits for its model; none where that does not ask any more. */
async function runAtOnce(
  probe: Probe,
  witness: Probe['witness'],
  otherTenant: HostHandle,
): Promise<readonly Observation[]> {
  if (witness === undefined) return [];
  const start = (handle: HostHandle, tenant: Tenant) => {
    const visit = witness.visit();
    visit.stageChat([{ kind: 'valid', content: ANSWERS[tenant] }]);
    const hold = visit.holdChats();
    const request = { workflowId, inputs: { witnessUrl: visit.url } };
    const run = startRun(probe, request, { role: AT_ONCE[tenant], handle });
    const wait = { timeoutMs: probe.timeoutMs * PATIENCE, signal: probe.signal };
    return { visit, hold, run, asked: Promise.race([hold.arrived(1, wait), run.then(() => false)]) };
  };
  const first = start(probe.host, 'first');
  const second = (await first.asked) ? start(otherTenant, 'second') : undefined;
  await second?.asked;
  first.hold.release();
  second?.hold.release();
  const [own, other] = await Promise.all([first.run, second?.run]);
  return second === undefined || other === undefined ? [] : [own, other, callsAfter(AT_ONCE.second, second.visit)];
}

interface TenantRuns {
  readonly first: RecordedRun;
  readonly second: RecordedRun;
  readonly replay: RecordedRun | undefined;
  /** The run of the second tenant that began while that of the first waited for its model. */
  readonly atOnce: RecordedRun | undefined;
  /** The calls after each run; undefined where none were recorded. */
  readonly calls: Readonly<Record<Tenant | 'replay' | 'atOnce', Recorded<CallsObservation> | undefined>>;
}

/** The runs of both tenants, or the outcome that is left without them. */
function see(recorded: readonly Recorded<Observation>[]): TenantRuns | Outcome {
  const [first, second] = [runOf(recorded, RUNS.first), runOf(recorded, RUNS.second)];
  const left = leftWithout([first ?? RUNS.first, second ?? RUNS.second]);
  if (left !== undefined) return left;
  if (first === undefined || second === undefined) return leftUndriven(RUNS.second);
  const calls = {
    first: callsOf(recorded, RUNS.first),
    second: callsOf(recorded, RUNS.second),
    replay: callsOf(recorded, REPLAY),
    atOnce: callsOf(recorded, AT_ONCE.second),
  };
  return { first, second, replay: runOf(recorded, REPLAY), atOnce: runOf(recorded, AT_ONCE.second), calls };
}

/** Whether a run shows what a tenant was answered, and not what the other one was: in its events or its snapshot. */
function shows({ events, snapshot }: RecordedRun, tenant: Tenant): boolean {
  const text = JSON.stringify([events, snapshot]).replaceAll('\\', '');
  return validIn(text) === (tenant === 'first');
}

function chatsIn(calls: CallsObservation | undefined): number {
  return (calls?.calls ?? []).filter((call) => JSON.stringify(call).includes('"kind":"chat"')).length;
}

function judge(recorded: TenantRuns): Outcome {
  const { first, second, replay, atOnce, calls } = recorded;
  const evidence = [first, calls.first, second, calls.second].filter((each) => each !== undefined);
  if (chatsIn(calls.first) === 0 || !shows(first, 'first')) {
    const witness = calls.first?.url ?? 'the witness';
    const isCalled = chatsIn(calls.first) > 0;
    const reason = isCalled
      ? `the first tenant's run did not show what ${witness} answered it, and has to`
      : notVisited(`the first tenant's run did not call ${witness}`);
    return undecided(reason, evidence);
  }
  const called = chatsIn(calls.second);
  if (shows(second, 'first')) return leaked(second, called, evidence);
  if (atOnce !== undefined && shows(atOnce, 'first')) return leaked(atOnce, chatsIn(calls.atOnce), evidence);
  if (called === 0 || !shows(second, 'second')) {
    const reason = `the second tenant's run shows no answer of the witness, which was called ${called} times`;
    return undecided(reason, evidence);
  }
  if (replay === undefined) {
    return pass(evidence, 'the host offers no replay: whether it keeps responses at all was not seen');
  }
  // A replay that is served shows that responses are recorded at all, where the other tenant's could have been found.
  const all = [...evidence, replay, ...(calls.replay === undefined ? [] : [calls.replay])];
  if (replay.problem !== null) {
    return undecided(unobservedText(replay), all);
  }
  const calledAgain = chatsIn(calls.replay) - called;
  if (shows(replay, 'first')) return leaked(replay, calledAgain, all);
  if (calledAgain === 0 && shows(replay, 'second')) return pass(all);
  return undecided(
    `the ${replay.role} was not served what was recorded for it, so no store of responses was seen`,
    all,
  );
}

function leaked(run: RecordedRun, calls: number, evidence: readonly { readonly id: string }[]): Outcome {
  const mismatch = {
    expected: `${ANSWERS.second}, by a call of its own`,
    actual: `${ANSWERS.first} in the ${run.role}, for which the witness was called ${calls} times`,
    diagnosis: wrong('response-of-another-tenant'),
  };
  return fail(mismatch, [run, ...evidence]);
}

/** replay.md §C: tenants are kept apart in the store of responses; calls are counted outside the host. */
export const countedAtWitness = defineScenario<Observation, TenantRuns>({
  id,
  suite: 'cache-key-portable',
  title: 'A model is called for every tenant itself, and each run shows the answer that its own call got',
  gate: phase4,
  needs: [{ kind: 'second-tenant' }, { kind: 'witness' }, { kind: 'fixture', workflowId }],
  drive,
  see,
  checks: [
    {
      id,
      title: "A tenant's run calls the model although another tenant's response to the same request is recorded",
      judge,
    },
  ],
});
