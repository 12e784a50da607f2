import type { HostHandle } from '../../src/host/client.ts';
import { phase4 } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createRun } from '../../src/host/runs.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { type Ask, askKey, askKeys, lineTo } from './ask.ts';
import { after, before } from './invariance-asks.ts';
import { base, keyOf, unstable } from './judge-invariance.ts';
import { type CacheKeyObservation, cutShort, keysOf, shownAnswer } from './observation.ts';
import { stage, valid } from '../shared/seams.ts';
import { type RunSeen, seeRun } from './mock-run.ts';
import { requestText } from './requests.ts';
import { seamNeed } from './seam-need.ts';
import { catalogued } from './diagnoses.ts';

const id = 'cache-key.not-a-security-boundary';
const workflowId = 'conformance-phase4-replay-divergence';
const nodeId = 'structured-call';

/** A run of one tenant after the mock model was staged with `valid`. */
interface TenantRunObservation extends Observation {
  readonly type: 'tenant-run';
  readonly tenant: 'first' | 'second';
  readonly staged: boolean;
  readonly problem: string | null;
  readonly output: string;
}

type BoundaryObservation = CacheKeyObservation | TenantRunObservation;

const asSecond: Ask = {
  name: 'as the second tenant',
  part: 'probe',
  request: requestText(),
  variation: 'the second tenant',
};

async function runAs(
  probe: Probe,
  handle: HostHandle,
  { tenant, staged }: Pick<TenantRunObservation, 'tenant' | 'staged'>,
): Promise<TenantRunObservation> {
  const entry = valid(JSON.stringify({ valid: staged }));
  const own = await stage(handle, nodeId, [entry, entry, entry]);
  const step = own.problem === null ? own : await stage(probe.host, nodeId, [entry, entry, entry]);
  const common = { type: 'tenant-run', tenant, staged } as const;
  if (step.problem !== null) return { ...common, problem: step.problem, output: '', exchanges: [step.exchange] };
  const started = await createRun(handle, { workflowId, inputs: {} });
  const seen: RunSeen = await seeRun(probe, handle, { started, nodeIds: [nodeId] });
  return {
    ...common,
    problem: seen.problem,
    output: seen.outputs[0] ?? '',
    exchanges: [step.exchange, ...seen.exchanges],
  };
}

/** The second tenant goes first: what it then sees shows that staging reaches it. */
const turns = [
  { tenant: 'second', staged: false },
  { tenant: 'first', staged: true },
  { tenant: 'second', staged: false },
] as const;

async function drive(probe: Probe): Promise<readonly BoundaryObservation[]> {
  const { otherTenant } = probe;
  if (otherTenant === undefined) return [];
  const line = lineTo(probe);
  const own = await askKeys(line, [...before, ...after]);
  const observations: BoundaryObservation[] = [...own, await askKey(lineTo(probe, otherTenant), asSecond)];
  for (const turn of turns) {
    const seen = await runAs(probe, turn.tenant === 'first' ? probe.host : otherTenant, turn);
    observations.push(seen);
    if (seen.problem !== null) break;
  }
  return observations;
}

function judgeSameKey(observations: readonly Recorded<BoundaryObservation>[]): Judgement {
  const check = `${id}.same-key`;
  const keys = keysOf(observations);
  const evidence = keys.map(({ id: observation }) => observation);
  const inconclusive = (reason: string): Judgement => ({ check, verdict: 'inconclusive', reason, evidence });
  const why = unstable(keys) ?? cutShort(observations);
  if (why !== undefined) return inconclusive(why);
  const second = keys.find(({ name }) => name === asSecond.name);
  const plain = keys.find(({ name }) => name === base);
  if (second === undefined || plain === undefined) return inconclusive('the second tenant was not asked');
  if (second.answer.kind !== 'key') return inconclusive(`the second tenant got no key: ${shownAnswer(second.answer)}`);
  if (second.answer.key === keyOf(plain)) return { check, verdict: 'pass', evidence };
  return {
    check,
    verdict: 'fail',
    expected: `${shownAnswer(plain.answer)} for both tenants`,
    actual: `${shownAnswer(second.answer)} for the second tenant`,
    diagnosis: catalogued('tenant-in-key'),
    evidence: [second.id, plain.id],
  };
}

function sees({ output }: TenantRunObservation): boolean | undefined {
  const [yes, no] = [/"valid":\s*true/u.test(output), /"valid":\s*false/u.test(output)];
  return yes === no ? undefined : yes;
}

function judgeResponses(observations: readonly Recorded<BoundaryObservation>[]): Judgement {
  const check = `${id}.no-shared-response`;
  const runs = observations.filter((each): each is Recorded<TenantRunObservation> => each.type === 'tenant-run');
  const evidence = runs.map(({ id: observation }) => observation);
  const inconclusive = (reason: string): Judgement => ({ check, verdict: 'inconclusive', reason, evidence });
  const broken = runs.find(({ problem }) => problem !== null);
  if (broken !== undefined) return inconclusive(`${broken.tenant} tenant: ${broken.problem ?? ''}`);
  const [reached, ...others] = runs;
  if (reached === undefined || runs.length < turns.length) return inconclusive('not all runs were started');
  const unseen = runs.find((run) => sees(run) === undefined);
  if (unseen !== undefined) {
    return inconclusive(`no event of ${nodeId} shows what the model answered; the output belongs into node.completed`);
  }
  if (sees(reached) !== reached.staged) return inconclusive('what was staged did not reach the second tenant');
  const leaked = others.find((run) => sees(run) !== run.staged);
  if (leaked === undefined) return { check, verdict: 'pass', evidence };
  return {
    check,
    verdict: 'fail',
    expected: `{"valid":${String(leaked.staged)}}, as staged for the ${leaked.tenant} tenant`,
    actual: `{"valid":${String(!leaked.staged)}}, the response recorded for the other tenant`,
    evidence: [leaked.id, ...evidence],
  };
}

/** replay.md §C: the key is no secret and no boundary; the store of responses is kept apart by tenant. */
export const notASecurityBoundary = defineJudgedScenario<BoundaryObservation>({
  id,
  suite: 'cache-key-portable',
  title: 'Two tenants get the same key, and neither is served the response recorded for the other',
  checks: [
    { id: `${id}.same-key`, requirement: id, title: 'Both tenants get the same key for the same request' },
    { id: `${id}.no-shared-response`, requirement: id, title: "No tenant is served the other's recorded response" },
  ],
  gate: phase4,
  needs: [seamNeed, { kind: 'second-tenant' }],
  exclusive: ['mock-ai:structured-call'],
  drive,
  judge: (observations) => [judgeSameKey(observations), judgeResponses(observations)],
});
