import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome, undecidedUntil } from '../../src/contract/outcome.ts';
import { named } from '../shared/compare-runs.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import { type Handoff, handoffText, has, inPhase } from './chain.ts';
import { isOfPublic, TWO_WORKERS } from './fixtures.ts';
import { childOf, type HandoffRun } from './handoff-run.ts';
import { childCompleted } from './judge-harvest.ts';
import { type Fault, OWNERS } from './owners.ts';
import { judgePath, PARTLY_MAPPED } from './path.ts';
import { listed } from './transition.ts';
import { wrong } from './diagnoses.ts';

/** rfc-0037 §B: two workers of one decision go the whole way. The public workflow maps the outputs of the first alone. */
export function judgeWorkers(recorded: HandoffRun): Outcome {
  const { run, chain, evidence } = recorded;
  if (!isOfPublic(run, TWO_WORKERS)) return judgePath(recorded, 2);
  const outcome = judgePath(recorded, 2, PARTLY_MAPPED);
  if (outcome.kind !== 'pass') return outcome;
  if (!has(chain, 'output.harvested')) {
    const why = `neither worker of ${named(run)} is harvested`;
    return undecidedUntil('follow perWorkerOutputMappings', why, evidence);
  }
  const fault = harvestedOtherwise(recorded);
  return fault === undefined ? outcome : fail({ diagnosis: wrong('wrong-harvest'), ...fault }, evidence);
}

const [{ children: CHILDREN = [] }] = TWO_WORKERS;

/** Where the worker whose outputs are mapped is not harvested, or the other one is: that any is harvested so is another row's. */
function harvestedOtherwise(recorded: HandoffRun): Fault | undefined {
  const [mapped, unmapped] = CHILDREN.map((workflowId) =>
    recorded.chain.handoffs.find((handoff) => isOf(handoff, workflowId, recorded)),
  );
  const left = mapped !== undefined && childCompleted(mapped, recorded) && !has(mapped, 'output.harvested');
  if (left) {
    const expected = `one output.harvested in ${handoffText(mapped)}: its child completed, its outputs are mapped`;
    return { expected, actual: listed(inPhase(recorded.chain, 'output.harvested')) };
  }
  if (unmapped === undefined || !childCompleted(unmapped, recorded) || !has(unmapped, 'output.harvested')) {
    return undefined;
  }
  return {
    expected: `no output.harvested in ${handoffText(unmapped)}: no output of its child is mapped`,
    actual: listed(inPhase(unmapped, 'output.harvested')),
    restsOn: OWNERS.unmapped,
  };
}

/** Whether a handoff is that to a worker: its child says so, and its transitions do not say otherwise. */
function isOf(handoff: Handoff, workflowId: string, recorded: HandoffRun): boolean {
  const child = member(childOf(handoff, recorded)?.snapshot, 'workflowId');
  return [child, handoff.workerId ?? workflowId].every((each) => isWorkflow(each, workflowId));
}
