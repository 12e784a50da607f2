import { isObject, member, stringMember, type JsonObject } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import type { NodeView } from '../../store/fold.ts';
import { envelopeKind, type LlmRequest, type ProviderResponse } from '../../types/provider.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import { inputsOf, outputEvents } from './inputs.ts';
import { failed, type NodeKind, type NodeOutcome } from './node.ts';

/** What sets one LLM-calling kind apart from another. */
export interface LlmKind {
  /** The members that the kind adds to the provider request. */
  readonly requestMembers: (config: JsonObject) => JsonObject;
  /** What an unstaged mock provider answers. */
  readonly unstaged: (config: JsonObject) => unknown;
  /** Why an answer that was cut off is none, whatever it looks like. */
  readonly cutOff?: string;
  /** The node's output, or why the content cannot be one. */
  readonly read: (content: unknown, config: JsonObject) => LlmOutput;
}

export type LlmOutput = { readonly ok: true; readonly output: unknown } | { readonly ok: false; readonly why: string };

/** A node kind that asks a provider once, through the world, and turns the answer into its output. */
export function llmNode(kind: LlmKind): NodeKind {
  return async function* run(node, world, view, attempt) {
    const request = buildRequest(node, kind, view);
    const idempotent = member(node.config, 'idempotent') === true;
    const answer = await world.llm({
      nodeId: node.id,
      attempt,
      typeId: node.typeId,
      idempotent,
      request,
      unstaged: kind.unstaged(node.config),
      baseUrl: providerUrl(view),
    });
    switch (answer.kind) {
      case 'failed':
        return failed(answer.code, answer.message);
      case 'diverged':
        yield { type: 'replay.divergedAtRefusal', nodeId: node.id, payload: answer.payload };
        return { kind: 'failed', error: answer.error, isFinal: true };
      case 'answered':
        yield usage(node, request, answer);
        return yield* envelope(node, kind, answer.response);
    }
  };
}

/** The provider's text is not repeated in a refusal: it may quote the prompt, secrets included (replay.md, Privacy). */
async function* envelope(
  node: WorkflowNode,
  kind: LlmKind,
  response: ProviderResponse,
): AsyncGenerator<EventDraft, NodeOutcome> {
  if (envelopeKind(response) === 'refusal') {
    yield { type: 'envelope.refusal', nodeId: node.id, payload: { nodeId: node.id, stopReason: 'safety' } };
    return failed('envelope_refused', 'The provider refused the request.');
  }
  if (response.stopReason === 'max_tokens' && kind.cutOff !== undefined) return failed('envelope_invalid', kind.cutOff);
  const read = kind.read(response.content, node.config);
  if (!read.ok) return failed('envelope_invalid', read.why);
  yield* outputEvents(node, read.output);
  return { kind: 'completed', output: read.output };
}

/** A run that is to use the witness's model names the witness in its inputs. */
function providerUrl({ options }: NodeView): string | undefined {
  const witness = stringMember(member(options, 'inputs'), 'witnessUrl');
  return witness === undefined ? undefined : `${witness}/v1`;
}

/** `configurable.model` of the run options goes before the definition's model. */
function buildRequest(node: WorkflowNode, kind: LlmKind, view: NodeView): LlmRequest {
  const { config } = node;
  const configurable = member(view.options, 'configurable');
  const given = member(inputsOf(node, view), 'messages');
  const system = stringMember(config, 'systemPrompt');
  const temperature = member(config, 'temperature');
  return {
    provider: stringMember(config, 'provider') ?? '',
    model: stringMember(configurable, 'model') ?? stringMember(config, 'model') ?? '',
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...(Array.isArray(given) ? given : [{ role: 'user', content: stringMember(config, 'prompt') ?? '' }]),
    ],
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...kind.requestMembers(config),
  };
}

function usage(
  node: WorkflowNode,
  request: LlmRequest,
  answer: { readonly response: ProviderResponse; readonly cacheKey: string },
): EventDraft {
  const { inputTokens, outputTokens } = answer.response.usage;
  const payload = {
    provider: request['provider'],
    model: request['model'],
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cacheKey: answer.cacheKey,
  };
  return { type: 'provider.usage', nodeId: node.id, payload };
}

const ANY_OBJECT: JsonObject = { type: 'object' };

/** A configured JSON Schema, or the one that admits every object. */
export function schemaOf(value: unknown): JsonObject {
  return isObject(value) ? value : ANY_OBJECT;
}

/** `core.ai.chat`: one turn of text, as `{text}`. */
export const chat = llmNode({
  requestMembers: () => ({}),
  unstaged: () => 'This is the mock model speaking.',
  read: (content) => ({ ok: true, output: { text: typeof content === 'string' ? content : JSON.stringify(content) } }),
});
