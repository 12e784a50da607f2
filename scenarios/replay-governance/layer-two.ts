import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startFirst } from '../shared/first-run.ts';
import { startFork, type RunObservation } from '../shared/run-observation.ts';
import { ask } from '../shared/seams.ts';
import { judgeLayerTwo, type InvocationsObservation } from './judge-layer-two.ts';
import { GOVERNANCE } from './observation-shapes.ts';
import { gatingSeam } from './seam.ts';

const id = 'recovery.layer-two-id';
const title = 'The Layer-2 invocation id is sha256(run:node:attempt:providerKey)';

/** Fixtures whose nodes ask a model, the one with the most first. */
const MODELS = ['conformance-determinism-llm-nodes', 'conformance-phase4-replay-divergence'];

async function readInvocations(probe: Probe, { runId, role: of }: RunObservation): Promise<InvocationsObservation> {
  if (runId === null) return { type: 'invocations', of, problem: 'there is no run', invocations: [], exchanges: [] };
  const { body, problem, exchange } = await ask(probe.host, 'layer-two', { runId });
  const list = member(body, 'invocations');
  const invocations = Array.isArray(list) ? (list as readonly Json[]) : [];
  const why = problem ?? (Array.isArray(list) ? null : 'the seam layer-two gave no list of invocations');
  return { type: 'invocations', of, problem: why, invocations, exchanges: [exchange] };
}

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { run: source } = await startFirst(probe, MODELS, 'source');
  const ofSource = await readInvocations(probe, source);
  const replay = await startFork(probe, source, { mode: 'replay' }, { role: 'replay' });
  return [source, ofSource, replay, await readInvocations(probe, replay)];
}

/** replay.md §C: the identity of an invocation, which recovery and replay look it up by. */
export const layerTwo = defineScenario({
  ...GOVERNANCE,
  id,
  title,
  needs: [gatingSeam('layer-two')],
  exclusive: ['mock-ai:llm-nodes', 'mock-ai:structured-call'],
  drive,
  checks: [{ id, title, judge: judgeLayerTwo }],
});
