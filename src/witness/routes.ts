import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Json } from '../evidence/types.ts';
import type { ChatAnswer } from '../evidence/witness.ts';
import { keyOfRequest } from './carried-key.ts';
import {
  items,
  methodNotAllowed,
  NOT_FOUND,
  own,
  parseJson,
  readBody,
  refusal,
  type Reply,
  send,
  TOO_LARGE,
} from './reply.ts';
import { type Arrival, CHATS, type Failure, type OpenCall, type OpenVisit } from './visit.ts';

const BODY_BYTES = 1024 * 1024;

/** One request below a visit's URL, with a signal that aborts when the caller is answered or gone. */
interface Turn {
  readonly visit: OpenVisit;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly over: AbortSignal;
}

/** Answers a request to `path` below a visit's URL; every call is entered at its arrival, before its body is read. */
export async function answerVisit(visit: OpenVisit, path: string, { request, response }: Exchange): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const turn: Turn = { visit, request, response, over: gone.signal };
  const method = request.method ?? '';
  const effect = nameBelow('/effects/', path);
  const resource = nameBelow('/resources/', path);
  const arrival = { method, idempotencyKey: keyOfRequest(request) };
  if (effect !== undefined) return answerEffect(turn, { kind: 'effect', name: effect, ...arrival });
  if (resource !== undefined) return answerResource(turn, { kind: 'resource', name: resource, ...arrival });
  if (path === '/v1/chat/completions') return answerChat(turn, { kind: 'chat', name: '', ...arrival });
  send(response, NOT_FOUND);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Longer names are none of ours. */
const LONGEST_NAME = 256;

function nameBelow(prefix: string, path: string): string | undefined {
  const encoded = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  if (encoded === '' || encoded.includes('/') || encoded.length > LONGEST_NAME) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

async function answerEffect(turn: Turn, arrival: Arrival): Promise<void> {
  const { visit, response, over } = turn;
  if (!['GET', 'POST'].includes(arrival.method)) return send(response, methodNotAllowed(['GET', 'POST']));
  const call = visit.arrive(arrival);
  const order = visit.order();
  response.once('close', () => order.answered(arrival.name));
  const turns = [order.turn(arrival.name, over), visit.holds.passed(arrival.name, over)];
  const [reading] = await Promise.all([receive(turn, call), ...turns]);
  if (reading.kind === 'too-large') return reply(turn, call, TOO_LARGE);
  const failure = visit.failure(arrival.name);
  if (failure !== undefined) return fail(turn, call, failure);
  const staged = visit.effect(arrival.name);
  reply(turn, call, { status: 200, body: staged === undefined ? { nonce: randomUUID(), count: call.count } : staged });
}

/** Lets a call fail that has arrived: its caller cannot know that it did. */
async function fail(turn: Turn, call: OpenCall, { how, patienceMs }: Failure): Promise<void> {
  if (how === 'status 500') return reply(turn, call, refusal(500, 'effect_failed', 'this effect is staged to fail'));
  if (how === 'silence') await setTimeout(patienceMs, undefined, { signal: turn.over }).catch(() => undefined);
  if (!turn.over.aborted) turn.request.socket.resetAndDestroy();
}

async function answerResource(turn: Turn, arrival: Arrival): Promise<void> {
  if (arrival.method !== 'GET') return send(turn.response, methodNotAllowed(['GET']));
  const call = turn.visit.arrive(arrival);
  const value = turn.visit.resource(arrival.name);
  reply(turn, call, value === undefined ? NOT_FOUND : { status: 200, body: value });
}

async function answerChat(turn: Turn, arrival: Arrival): Promise<void> {
  if (arrival.method !== 'POST') return send(turn.response, methodNotAllowed(['POST']));
  const call = turn.visit.arrive(arrival);
  const { kind, body } = await receive(turn, call);
  if (kind === 'too-large') return reply(turn, call, TOO_LARGE);
  if (body === undefined) return reply(turn, call, refusal(400, 'malformed', 'the body is no JSON'));
  const named = own(body, 'model');
  const model = typeof named === 'string' ? named.slice(0, LONGEST_NAME) : '';
  call.rename(model);
  await turn.visit.holds.passed(CHATS, turn.over);
  const next = turn.visit.nextChat(model);
  if (next === undefined) return reply(turn, call, refusal(409, 'nothing_staged', 'no answer is staged'));
  const staged = mayCall(body, next) ? next : withoutCall(next);
  const streamed = own(body, 'stream') === true ? { stream: completionChunks(staged, model) } : {};
  reply(turn, call, { status: 200, body: completion(staged, model), ...streamed });
}

/** Reads the body and enters it; `body` is undefined where it is no JSON. */
async function receive({ request }: Turn, call: OpenCall) {
  const reading = await readBody(request, BODY_BYTES);
  const body = reading.kind === 'read' ? parseJson(reading.bytes) : undefined;
  if (reading.kind === 'read' && body !== undefined) call.received(body, reading.bytes.byteLength);
  return { kind: reading.kind, body };
}

function reply({ response, over }: Turn, call: OpenCall, answer: Reply): void {
  if (over.aborted) return;
  call.answer(answer.body);
  send(response, answer);
}

/** An answer in the shape of OpenAI's chat completions; a refusal is the provider's, with no content. */
function completion(answer: ChatAnswer, model: string): Json {
  const message = {
    role: 'assistant',
    content: answer.kind === 'valid' ? answer.content : null,
    refusal: answer.kind === 'refusal' ? answer.text : null,
    ...toolCalls(answer),
  };
  return {
    ...envelope('chat.completion', model),
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** The same answer as the events of a stream, for a host that asks with `stream: true`. */
function completionChunks(answer: ChatAnswer, model: string): string {
  const head = envelope('chat.completion.chunk', model);
  const said = answer.kind === 'valid' ? { content: answer.content, ...toolCalls(answer) } : { refusal: answer.text };
  const choices = [
    { index: 0, delta: { role: 'assistant', ...said }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finishReason(answer) },
  ];
  const chunks = choices.map((choice) => JSON.stringify({ ...head, choices: [choice] }));
  return [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function envelope(object: string, model: string) {
  const id = `chatcmpl-${randomBytes(12).toString('hex')}`;
  return { id, object, created: Math.floor(Date.now() / 1000), model };
}

function finishReason(answer: ChatAnswer): string {
  if (answer.kind === 'refusal') return 'content_filter';
  if (answer.call !== undefined) return 'tool_calls';
  return answer.isCut === true ? 'length' : 'stop';
}

/** Whether a request offers the tool that is to be called, and tells of no tool that has answered. */
function mayCall(body: Json, answer: ChatAnswer): boolean {
  const name = answer.kind === 'valid' ? answer.call?.name : undefined;
  const [tools = [], messages = []] = ['tools', 'messages'].map((member) => items(own(body, member)));
  const isOffered = tools.some((tool) => own(own(tool, 'function'), 'name') === name);
  return name !== undefined && isOffered && !messages.some((message) => own(message, 'role') === 'tool');
}

function withoutCall(answer: ChatAnswer): ChatAnswer {
  if (answer.kind === 'refusal') return answer;
  const { call: _, ...rest } = answer;
  return rest;
}

function toolCalls(answer: ChatAnswer): { readonly tool_calls?: Json } {
  if (answer.kind === 'refusal' || answer.call === undefined) return {};
  const called = { name: answer.call.name, arguments: JSON.stringify(answer.call.arguments) };
  return { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: called }] };
}
