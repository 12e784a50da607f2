import { isObject, member, objectMember, type JsonObject, stringMember } from '../../json.ts';
import type { Decision } from '../../policies/handoff.ts';
import type { EventDraft } from '../../store/event.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import type { World } from '../../types/world.ts';
import { handOver, stepwise, type HandoffEnd, type Stepwise } from './handoff.ts';
import type { NodeKind, NodeOutcome } from './node.ts';
import { invalidConfig } from './inputs.ts';
import { ask, type Question } from './question.ts';

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
function agentOf({ id, config }: WorkflowNode): string {
  return stringMember(config, 'agentId') ?? id;
}

/** The decisions that a supervisor will make; undefined where its definition is unsound. */
function planOf({ config }: WorkflowNode): readonly Decision[] | undefined {
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

/**
 * `core.dispatch`: carries out the loop with the supervisor before it (rfc-0037 §A). Each turn has one decision, made when
 * all that the one before led to is done and written; its workers run one after the other.
 */
export const dispatch: NodeKind = async function* run(node, world) {
  const deciding = world.handoffs.supervisorOf(node.id);
  const plan = deciding === undefined ? undefined : planOf(deciding);
  if (deciding === undefined || plan === undefined) {
    return invalidConfig('An edge must lead here from a supervisor with a plan.');
  }
  const loop: Loop = { node, world, agentId: agentOf(deciding), step: stepwise(world), dispatched: [] };
  const turns = world.handoffs.policy.turns(plan);
  for (const [turn, decision] of turns.entries()) {
    const stopped = yield* takeTurn(loop, turn, decision);
    if (stopped !== undefined) return stopped;
  }
  return { kind: 'completed', output: { decisions: turns.length, dispatched: loop.dispatched } };
};

interface Loop {
  readonly node: WorkflowNode;
  readonly world: World;
  readonly agentId: string;
  readonly step: Stepwise;
  /** What has become of the children so far. */
  readonly dispatched: JsonObject[];
}

/** One turn; gives how the node ends, or is left, where the loop does not go on. */
async function* takeTurn(loop: Loop, turn: number, decision: Decision): AsyncGenerator<EventDraft, Stop> {
  const { node, world, agentId, step } = loop;
  if ((decision.confidence ?? 1) < CONFIDENT) {
    const left = yield* question(loop, turn, {
      kind: decision.isPending === true ? 'approval' : 'clarification',
      key: `confidence-${turn}`,
      data: { agentId, confidence: decision.confidence ?? null },
    });
    if (left !== undefined) return left;
  }
  const { isPending: _isPending, ...shown } = decision;
  const payload = { agentId, decision: shown };
  yield* step('decided', turn, [{ type: 'runOrchestrator.decided', nodeId: node.id, payload }]);
  if (world.handoffs.policy.asks(decision)) return yield* wait(loop, turn, decision);
  if (decision.kind !== 'next-worker') return undefined;
  for (const [index, workerId] of (decision.nextWorkerIds ?? []).entries()) {
    const end = yield* handOverTo(loop, { turn, index, workerId });
    switch (end.kind) {
      case 'ended':
        loop.dispatched.push({ workerId, childRunId: end.childRunId, status: end.status });
        break;
      case 'failed':
        return { kind: 'failed', error: { code: 'dispatch_failed', message: end.error.message } };
      case 'suspended':
        return end;
    }
  }
  return undefined;
}

type Stop = NodeOutcome | undefined;

/** A decision with less confidence is made when somebody has answered. */
const CONFIDENT = 0.6;

/** clarify and escalate: the loop goes on when somebody has answered. */
function wait(loop: Loop, turn: number, decision: Decision): AsyncGenerator<EventDraft, Stop> {
  return question(loop, turn, {
    kind: decision.kind === 'escalate' ? 'approval' : 'clarification',
    key: `${decision.kind}-${turn}`,
    data: { agentId: loop.agentId, reason: decision.reason ?? null },
  });
}

async function* question(
  { node, world, step }: Loop,
  turn: number,
  said: Omit<Question, 'node'>,
): AsyncGenerator<EventDraft, Stop> {
  const asking = ask(world, { node, ...said });
  for (;;) {
    const next = await asking.next();
    if (next.done === true) return next.value.kind === 'suspended' ? next.value : undefined;
    const answered = next.value.type === 'interrupt.resolved' || next.value.type === 'node.resumed';
    yield* step(answered ? 'answered' : 'asked', turn, [next.value]);
  }
}

interface Place {
  readonly turn: number;
  readonly index: number;
  readonly workerId: string;
}

function handOverTo(
  { node, world, step, dispatched }: Loop,
  { turn, index, workerId }: Place,
): AsyncGenerator<EventDraft, HandoffEnd> {
  const nodeId = node.id;
  return handOver({
    world,
    step,
    turn,
    handoff: {
      nodeId,
      request: { turn, index, workerId },
      before: dispatched.length,
      workerId,
      inputMapping: mapping(node, workerId, ['perWorkerInputMappings', 'inputMapping']),
      outputMapping: mapping(node, workerId, ['perWorkerOutputMappings', 'outputMapping']),
    },
    cause: (event) => event.nodeId === nodeId && event.type === 'runOrchestrator.decided',
  });
}

/** The worker's own mapping where the definition has one, else that of all workers. */
function mapping({ config }: WorkflowNode, workerId: string, [own, shared]: readonly [string, string]): JsonObject {
  const found = member(member(config, own), workerId);
  return isObject(found) ? found : objectMember(config, shared);
}
