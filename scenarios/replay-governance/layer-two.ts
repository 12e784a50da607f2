import { fail, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { isPassedOver, startFirst } from '../shared/first-run.ts';
import { leftUntil, need, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { startFork } from '../shared/run-observation.ts';
import { isComplete, listedOf, readInvocations, wrongIn } from './invocations.ts';
import { gatingSeam } from './seam.ts';
import { wrong } from './diagnoses.ts';

/** Fixtures whose nodes ask a model, the one with the most first. */
const MODELS = ['conformance-determinism-llm-nodes', 'conformance-phase4-replay-divergence'];

const SEED = `seed ${MODELS.join(' or ')}`;
const NOT_RUN = 'no workflow of which it is known that it calls a model was run';

/** Judges the ids of a run's invocations, and of those of its replay: its own or its source's, where it lists any. */
function judgeLayerTwo(recorded: Recordings): Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) {
    const source = runOf(recorded, 'source');
    const isLacking = source !== undefined && isPassedOver(source);
    return isLacking ? leftUntil(SEED, NOT_RUN, runs) : runs;
  }
  const { source } = runs;
  const own = listedOf(recorded, source);
  if (own === undefined || own.problem !== null) {
    return undecided(own?.problem ?? 'the seam layer-two was not requested', [source]);
  }
  const mismatch = wrongIn(own, [source], source);
  if (mismatch !== undefined) return fail({ diagnosis: wrong('other-layer-two-id'), ...mismatch }, [own, source]);
  if (own.invocations.length === 0) {
    if (source.workflowId !== undefined && !MODELS.includes(source.workflowId)) {
      const reason = `${NOT_RUN}, and the seam layer-two lists no invocation of ${named(source)} of ${source.workflowId}`;
      return undecidedUntil(SEED, reason, [own, source]);
    }
    return undecidedUntil(
      'list each call of a model there',
      `${named(source)} calls models, and the seam layer-two lists no invocation of it`,
      [own],
    );
  }
  if (!own.invocations.some(isComplete)) return undecided(INCOMPLETE, [own, source]);
  const replay = runOf(recorded, 'replay');
  const again = replay === undefined || replay.problem !== null ? undefined : listedOf(recorded, replay);
  if (replay === undefined || again === undefined || again.problem !== null) {
    return pass([own, source], 'the invocations of a replay were not read');
  }
  const mismatchAgain = wrongIn(again, [replay, source], source);
  if (mismatchAgain !== undefined)
    return fail({ diagnosis: wrong('other-layer-two-id'), ...mismatchAgain }, [again, replay, source]);
  return pass([own, source, again, replay]);
}

const INCOMPLETE =
  'no id can be worked out again: the seam layer-two has to list {nodeId, attempt, providerKey, invocationId}';

const id = 'recovery.layer-two-id';
const title = 'The Layer-2 invocation id is sha256(run:node:attempt:providerKey)';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { run: source } = await startFirst(probe, MODELS, 'source');
  const ofSource = await readInvocations(probe, source);
  const replay = await startFork(probe, source, { mode: 'replay' }, { role: 'replay' });
  return [source, ofSource, replay, await readInvocations(probe, replay)];
}

/** replay.md §C: the identity of an invocation, which recovery and replay look it up by. */
export const layerTwo = defineScenario({
  suite: 'replay-governance',
  id,
  title,
  needs: [gatingSeam('layer-two')],
  exclusive: ['mock-ai:llm-nodes', 'mock-ai:structured-call'],
  drive,
  checks: [{ id, title, judge: judgeLayerTwo }],
});
