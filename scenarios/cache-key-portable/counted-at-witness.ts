import { phase4 } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { runOf } from '../shared/judge-run.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { offersMode, startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { callsAfter, callsOf, type CallsObservation } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';

const requirement = 'cache-key.not-a-security-boundary';
const check = `${requirement}.counted-at-witness`;
const workflowId = 'conformance-determinism-llm-provider';

/** What the model at the witness answers to each tenant: nothing but what the fixture's schema names. */
const ANSWERS = { first: '{"valid":true}', second: '{"valid":false}' } as const;

type Tenant = keyof typeof ANSWERS;

const RUNS = { first: 'run of the first tenant', second: 'run of the second tenant' } as const;
const REPLAY = "replay of the second tenant's run";

interface AskedRun {
  readonly run: RunObservation;
  readonly visit: WitnessVisit;
}

/** The same request to the same model, for which the witness has another answer for each tenant. */
async function runAs(probe: Probe, handle: HostHandle, tenant: Tenant): Promise<AskedRun | undefined> {
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
  const seen: Observation[] = [own.run, callsAfter(RUNS.first, own.visit)];
  const other = own.run.problem === null ? await runAs(probe, otherTenant, 'second') : undefined;
  if (other === undefined) return seen;
  seen.push(other.run, callsAfter(RUNS.second, other.visit));
  if (!offersMode(probe.discovery, 'replay')) return seen;
  const replay = await startFork(probe, other.run, { mode: 'replay' }, { role: REPLAY, handle: otherTenant });
  return [...seen, replay, callsAfter(REPLAY, other.visit)];
}

const SHARED = wrong('response-of-another-tenant');

type Recordings = readonly Recorded<Observation>[];

/** Whether a run shows what a tenant was told, and not what the other one was: in its events or its snapshot. */
function shows({ events, snapshot }: SeenRun, tenant: Tenant): boolean {
  const text = JSON.stringify([events, snapshot]).replaceAll('\\', '');
  const [yes, no] = [/"valid":\s*true/u.test(text), /"valid":\s*false/u.test(text)];
  return yes !== no && yes === (tenant === 'first');
}

function chatsIn(calls: CallsObservation | undefined): number {
  return (calls?.calls ?? []).filter((call) => JSON.stringify(call).includes('"kind":"chat"')).length;
}

function judge(observations: Recordings): Judgement {
  const [first, second] = [runOf(observations, RUNS.first), runOf(observations, RUNS.second)];
  const [before, calls] = [callsOf(observations, RUNS.first), callsOf(observations, RUNS.second)];
  const evidence = [first, before, second, calls].filter((each) => each !== undefined);
  const unseen = [first, second].find((run) => run?.problem !== null);
  if (first === undefined || second === undefined || unseen !== undefined) {
    return undecided(check, `${unseen?.role ?? 'a run'} was not seen: ${unseen?.problem ?? 'not driven'}`, evidence);
  }
  if (chatsIn(before) === 0 || !shows(first, 'first')) {
    const reason = `the first tenant's run did not show what the witness answered it: let the host call ${before?.url ?? 'the witness'}`;
    return undecided(check, reason, evidence);
  }
  if (shows(second, 'first')) return leaked(second, chatsIn(calls), evidence);
  if (chatsIn(calls) === 0 || !shows(second, 'second')) {
    const reason = `the second tenant's run shows no answer of the witness, which was asked ${chatsIn(calls)} times`;
    return undecided(check, reason, evidence);
  }
  return judgeReplay(observations, { evidence, calls: chatsIn(calls) });
}

function leaked(run: SeenRun, calls: number, evidence: readonly { readonly id: string }[]): Judgement {
  const expected = `${ANSWERS.second}, asked for by a call of its own`;
  const actual = `${ANSWERS.first} in the ${run.role}, for which the witness was asked ${calls} times`;
  return failing(check, { expected, actual, diagnosis: SHARED }, [run, ...evidence]);
}

interface Before {
  readonly evidence: readonly { readonly id: string }[];
  /** Calls before the replay. */
  readonly calls: number;
}

/** A replay that is served shows that responses are recorded at all, where the other tenant's could have been found. */
function judgeReplay(observations: Recordings, before: Before): Judgement {
  const [replay, calls] = [runOf(observations, REPLAY), callsOf(observations, REPLAY)];
  const { evidence } = before;
  if (replay === undefined) {
    return passing(check, evidence, 'the host offers no replay: whether it keeps responses at all was not seen');
  }
  const all = [...evidence, replay, ...(calls === undefined ? [] : [calls])];
  if (replay.problem !== null) return undecided(check, `the ${replay.role} was not seen: ${replay.problem}`, all);
  if (shows(replay, 'first')) return leaked(replay, chatsIn(calls) - before.calls, all);
  if (chatsIn(calls) === before.calls && shows(replay, 'second')) return passing(check, all);
  return undecided(
    check,
    `the ${replay.role} was not served what was recorded for it, so no store of responses was seen`,
    all,
  );
}

/** replay.md §C: tenants are kept apart in the store of responses; calls are counted outside the host. */
export const countedAtWitness = defineJudgedScenario<Observation>({
  id: check,
  suite: 'cache-key-portable',
  title: 'A model is asked for every tenant itself, and each run shows the answer that its own call got',
  checks: [
    {
      id: check,
      requirement,
      title: "A tenant's run calls the model although another tenant's response to the same request is recorded",
    },
  ],
  gate: phase4,
  needs: [{ kind: 'second-tenant' }, { kind: 'witness' }, { kind: 'fixture', workflowId }],
  exclusive: [],
  drive,
  judge: (observations) => [judge(observations)],
});
