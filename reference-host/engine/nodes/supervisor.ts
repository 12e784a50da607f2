import { isObject, member, stringMember } from '../../json.ts';
import type { Decision } from '../../policies/handoff.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import type { NodeKind } from './node.ts';
import { invalidConfig } from './output.ts';

/**
 * `core.orchestrator.supervisor`: its plan, `mockDispatchPlan` or `mockDecisions`, stands in for an agent. The decisions are made, one in each turn, by the
 * `core.dispatch` node that it leads to, each when the one before has been carried out (rfc-0037 §A.4).
 */
// oxlint-disable-next-line eslint/require-yield -- a node kind without events of its own
export const supervisor: NodeKind = async function* run(node) {
  const plan = planOf(node);
  if (plan === undefined) return invalidConfig('config.mockDispatchPlan must be an array of decisions.');
  return { kind: 'completed', output: { agentId: agentOf(node), planned: plan.length } };
};

/** The name under which a supervisor decides. */
export function agentOf({ id, config }: WorkflowNode): string {
  return stringMember(config, 'agentId') ?? id;
}

/** The decisions that a supervisor will make; undefined where its definition is unsound. */
export function planOf({ config }: WorkflowNode): readonly Decision[] | undefined {
  const pending = member(config, 'mockPendingDecision');
  const unsure = isObject(pending)
    ? [{ ...pending, confidence: member(config, 'mockConfidence'), isPending: true }]
    : [];
  const plan = member(config, 'mockDispatchPlan') ?? member(config, 'mockDecisions') ?? unsure;
  return Array.isArray(plan) && plan.every(isDecision) ? plan : undefined;
}

const KINDS = ['next-worker', 'terminate', 'clarify', 'escalate'];

function isDecision(value: unknown): value is Decision {
  if (!isObject(value) || !KINDS.includes(String(member(value, 'kind')))) return false;
  const workers = member(value, 'nextWorkerIds') ?? [];
  if (!Array.isArray(workers) || workers.some((id) => typeof id !== 'string')) return false;
  return member(value, 'kind') !== 'next-worker' || workers.length > 0;
}
