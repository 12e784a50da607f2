import { member, objectMember, stringMember } from '../../json.ts';
import { handOver, stepwise } from './handoff.ts';
import type { NodeKind } from './node.ts';
import { invalidConfig } from './inputs.ts';

/**
 * `core.subWorkflow`: hands over to `config.workflowId` without a decision (rfc-0037 §A.2). A child that does not complete
 * fails the node, unless `config.onChildFailure` is "absorb".
 */
export const subWorkflow: NodeKind = async function* run(node, world) {
  const workerId = stringMember(node.config, 'workflowId');
  if (workerId === undefined) return invalidConfig('config.workflowId must be a string.');
  const end = yield* handOver({
    world,
    step: stepwise(world),
    turn: 0,
    handoff: {
      nodeId: node.id,
      request: { turn: 0, index: 0, workerId },
      before: 0,
      workerId,
      inputMapping: objectMember(node.config, 'inputMapping'),
      outputMapping: objectMember(node.config, 'outputMapping'),
    },
    cause: (event) => event.nodeId === node.id && event.type === 'node.started',
  });
  if (end.kind === 'suspended') return end;
  if (end.kind === 'failed') {
    return { kind: 'failed', error: { code: 'dispatch_failed', message: end.error.message } };
  }
  const { childRunId, status } = end;
  if (status !== 'completed' && member(node.config, 'onChildFailure') !== 'absorb') {
    return { kind: 'failed', error: { code: 'child_failed', message: `The child run is ${status}.` } };
  }
  return { kind: 'completed', output: { childRunId, status } };
};
