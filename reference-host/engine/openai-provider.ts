import { askJson, type JsonAnswer } from '../ask-json.ts';
import { parseJson, isObject, listMember, member, stringMember, type JsonObject } from '../json.ts';
import type { Completion, Provider, LlmRequest, ProviderResponse } from '../types/provider.ts';

export interface OpenAiProviderOptions {
  /** Whether runs may make this host call addresses that they name. */
  readonly outbound: boolean;
  /** Aborts when the host closes. */
  readonly closing: AbortSignal;
  /** How long a call may take, in milliseconds. */
  readonly patienceMs: number;
  /** What becomes of a request's body before it is sent; nothing where nothing is said. */
  readonly adapted?: (body: JsonObject) => JsonObject;
}

/** The provider `openai-compatible`: whatever server the run names, asked by `POST /chat/completions`. */
export function createOpenAiProvider(options: OpenAiProviderOptions): Provider {
  const { adapted = (body) => body } = options;
  return {
    revision: () => undefined,
    async complete(call) {
      if (!options.outbound) return unavailable('This host calls no model provider outside itself.');
      if (call.baseUrl === undefined) return unavailable('The inputs of the run name no model provider.');
      const posted = await askJson({
        method: 'POST',
        url: `${call.baseUrl}/chat/completions`,
        body: adapted(chatBody(call.request)),
        patienceMs: options.patienceMs,
        closing: options.closing,
      });
      return completionIn(posted);
    },
  };
}

function completionIn(posted: JsonAnswer): Completion {
  if (!posted.ok) return failed(`The model provider could not be asked: ${posted.why}.`);
  if (posted.status !== 200) return failed(`The model provider answered with status ${posted.status}.`);
  const read = parseJson(posted.text);
  const response = read.ok ? readCompletion(read.value) : undefined;
  return response === undefined ? failed('The model provider gave no chat completion.') : { ok: true, response };
}

function unavailable(message: string): Completion {
  return { ok: false, code: 'provider_unavailable', message };
}

function failed(message: string): Completion {
  return { ok: false, code: 'provider_failed', message };
}

/** A vendor-neutral request as the body of an OpenAI-compatible `POST /chat/completions`. */
export function chatBody(request: LlmRequest): JsonObject {
  const { model, temperature } = request;
  const tools = listMember(request, 'tools');
  const format = request['responseFormat'];
  return {
    model,
    messages: request['messages'],
    ...(temperature === undefined ? {} : { temperature }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(member(format, 'type') === 'json' ? { response_format: jsonFormat(member(format, 'schema')) } : {}),
  };
}

function jsonFormat(schema: unknown): JsonObject {
  return { type: 'json_schema', json_schema: { name: 'answer', schema } };
}

/**
 * The answer of an OpenAI-compatible server, or undefined where it is no chat completion. A refusal is a message with
 * `refusal`, or one that the content filter ended.
 */
export function readCompletion(body: unknown): ProviderResponse | undefined {
  const [choice] = listMember(body, 'choices');
  const message = member(choice, 'message');
  if (!isObject(message)) return undefined;
  const finish = stringMember(choice, 'finish_reason');
  const usage = {
    inputTokens: tokens(member(body, 'usage'), 'prompt_tokens'),
    outputTokens: tokens(member(body, 'usage'), 'completion_tokens'),
  };
  const refusal = stringMember(message, 'refusal') ?? '';
  if (refusal !== '' || finish === 'content_filter') {
    return {
      content: null,
      stopReason: 'safety',
      refusalText: refusal || (stringMember(message, 'content') ?? ''),
      usage,
    };
  }
  const content = contentOf(message);
  if (content === undefined) return undefined;
  return { content, stopReason: finish === 'length' ? 'max_tokens' : 'end_turn', usage };
}

/** The text, or the tool calls with the text in the form that the tool-calling node reads. */
function contentOf(message: JsonObject): unknown {
  const text = stringMember(message, 'content');
  const calls = listMember(message, 'tool_calls').map((call) => toolCall(member(call, 'function')));
  if (calls.length === 0) return text;
  return calls.includes(undefined) ? undefined : { text: text ?? '', toolCalls: calls };
}

function toolCall(called: unknown): JsonObject | undefined {
  const name = stringMember(called, 'name');
  const read = parseJson(stringMember(called, 'arguments') ?? '');
  return name === undefined || !read.ok ? undefined : { name, arguments: read.value };
}

function tokens(usage: unknown, name: string): number {
  const count = member(usage, name);
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0;
}
