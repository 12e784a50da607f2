import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { need } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { Recordings } from '../shared/of-type.ts';
import { startRun } from '../shared/run-observation.ts';
import { callsAfter, callsOf } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';
import { isComplete, listedOf, readInvocations, wrongIn } from './invocations.ts';
import { gatingSeam } from './seam.ts';

/**
 * Judges the ids of a node's calls where the host tried the node again: the documents do not say where attempts begin nor
 * what node.retried holds, so that only two calls which the host lists itself can be one too few.
 */
function judge(recorded: Recordings): Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const calls = callsOf(recorded, 'source');
  const retried = new Set(eventsOf(source).flatMap((event) => (event.type === 'node.retried' ? nodeOf(event) : [])));
  const requested = calls?.calls.filter((call) => member(call, 'kind') === 'chat').length ?? 0;
  if (calls === undefined || retried.size === 0 || requested < 2) {
    const reason = `${named(source)} shows ${retried.size} nodes that were tried again, and the model was asked ${requested} times`;
    return undecidedUntil('try a node with maxRetries again where its answer does not fit its schema', reason, [
      source,
    ]);
  }
  const listed = listedOf(recorded, source);
  if (listed === undefined || listed.problem !== null) {
    return undecided(listed?.problem ?? 'the seam layer-two was not requested', [source]);
  }
  const own = listed.invocations.filter((each) => retried.has(String(member(each, 'nodeId'))));
  const ids = new Set(own.map((each) => member(each, 'invocationId')));
  const evidence = [listed, source, calls];
  if (own.length < 2 || ids.has(undefined)) {
    const reason = `of ${requested} calls the seam layer-two lists ${own.length} of a node that was tried again`;
    return undecidedUntil('list the call of each attempt there, with its invocationId', reason, evidence);
  }
  if (ids.size === 1) {
    const expected = 'another Layer-2 id for each attempt at a node';
    const actual = `${String([...ids][0])} for ${own.length} calls`;
    return fail({ expected, actual, diagnosis: wrong('one-id-for-two-attempts'), restsOn: FORMULA }, evidence);
  }
  const mismatch = wrongIn(listed, [source], source);
  if (mismatch !== undefined)
    return fail({ diagnosis: wrong('other-layer-two-id'), ...mismatch, restsOn: FORMULA }, evidence);
  if (!own.every(isComplete)) return undecided('the attempts of the calls are not listed', evidence);
  return pass(evidence);
}

/** The check that says how ids are made at all. */
const FORMULA = 'recovery.layer-two-id';

const WORKFLOW = 'conformance-determinism-llm-retry';

/** What the node's schema does not admit, then what it does. */
const ANSWERS = ['{"valid":"perhaps"}', '{"valid":true}'];

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  visit.stageChat(ANSWERS.map((content) => ({ kind: 'valid', content })));
  const source = await startRun(probe, { workflowId: WORKFLOW, inputs: { witnessUrl: visit.url } }, { role: 'source' });
  return [source, callsAfter('source', visit), await readInvocations(probe, source)];
}

const id = 'recovery.layer-two-id.retry';
const title = 'A node that is tried again has another Layer-2 id for each attempt';

/** replay.md §C: the attempt is a part of the identity of an invocation. */
export const layerTwoRetry = defineScenario({
  suite: 'replay-governance',
  id,
  title,
  needs: [gatingSeam('layer-two'), { kind: 'witness' }, { kind: 'fixture', workflowId: WORKFLOW }],
  drive,
  checks: [{ id, title, judge }],
});
