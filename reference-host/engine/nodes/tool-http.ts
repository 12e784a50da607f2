import { member, stringMember } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import type { Observation } from '../../store/observations.ts';
import { digest, serialise } from '../cache-key.ts';
import type { NodeView } from '../fold.ts';
import type { HttpAnswer } from '../http-call.ts';
import { callHttp } from '../http-call.ts';
import type { WorkflowNode } from '../workflow.ts';
import type { NodeKind, NodeOutcome } from './node.ts';
import { invalidConfig, outputEvents } from './output.ts';

const TIMEOUT_MS = 10_000;

/**
 * `core.tool.http`: calls `config.path` below `inputs.witnessUrl`. What the tool answered is kept together with the events
 * that the answer led to: the variable, the channel and the line of the log (replay.md, Phase 4 §C). A failed call is kept
 * as well, because the outside world has seen it.
 */
export const toolHttp: NodeKind = async function* run(node, world, view) {
  const called = request(node, view);
  if (called === undefined) return invalidConfig('config.path must be a string, inputs.witnessUrl an address.');
  if (!world.outbound) {
    return failed('outbound_disabled', 'This host calls nobody outside itself unless its test seams are enabled.');
  }
  const headers = { 'idempotency-key': digest(serialise({ runId: world.runId, nodeId: node.id, ...called })) };
  const perform = async (): Promise<Observation> => {
    const value = await callHttp({ ...called, headers, patienceMs: TIMEOUT_MS });
    return { value, events: value.kind === 'answered' ? effects(node, value.answer) : [] };
  };
  const { value, events } = await world.observe({
    nodeId: node.id,
    request: { kind: node.typeId, ...called },
    perform,
  });
  yield* events;
  const answer = value as HttpAnswer;
  return answer.kind === 'failed'
    ? failed('tool_failed', answer.message)
    : { kind: 'completed', output: answer.answer };
};

/** The content of the call, and nothing else: it identifies the act. */
function request(
  { id, config }: WorkflowNode,
  { options }: NodeView,
): { method: string; url: string; body?: JsonObject } | undefined {
  const base = stringMember(member(options, 'inputs'), 'witnessUrl');
  const path = stringMember(config, 'path');
  if (base === undefined || path === undefined) return undefined;
  const method = stringMember(config, 'method') ?? 'POST';
  const call = { method, url: base + path };
  return method === 'GET' ? call : { ...call, body: { nodeId: id } };
}

function effects(node: WorkflowNode, answer: unknown): readonly EventDraft[] {
  const channel = stringMember(node.config, 'channel');
  const nodeId = node.id;
  return [
    ...outputEvents(node, answer),
    ...(channel === undefined
      ? []
      : [{ type: 'channel.written', nodeId, payload: { name: channel, value: answer } } as const]),
    ...(member(node.config, 'emit') === true
      ? [
          {
            type: 'log.appended',
            nodeId,
            payload: { level: 'info', message: 'The tool answered.', data: answer },
          } as const,
        ]
      : []),
  ];
}

function failed(code: string, message: string): NodeOutcome {
  return { kind: 'failed', error: { code, message } };
}
