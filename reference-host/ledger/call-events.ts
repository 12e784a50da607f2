import { member, stringMember, type JsonObject } from '../json.ts';
import type { StreamState } from '../policies/decide.ts';
import type { DeclaredCall } from '../policies/ledger.ts';
import type { EventDraft, EventType, RunEvent } from '../store/event.ts';
import type { RecordedCall } from '../store/observations.ts';
import type { KeptAnswer, ToolAnswer } from '../types/world.ts';

/** A call as its events name it. */
export interface NamedCall extends RecordedCall {
  readonly nodeId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/** The call is about to be executed. */
export function started({ nodeId, tool, args, idempotencyKey, attempt }: NamedCall): EventDraft {
  const payload = { tool_name: tool, arguments: args, idempotency_key: idempotencyKey, attempt_id: attempt };
  return { type: 'tool_invocation_started', nodeId, payload };
}

/** The call has been executed, with this answer. */
export function finished({ nodeId, idempotencyKey }: NamedCall, answer: ToolAnswer): EventDraft {
  const outcome =
    answer.kind === 'answered'
      ? { outcome: 'success', result: answer.answer }
      : { outcome: 'failure', error: { code: 'tool_failed', message: answer.message } };
  return { type: 'tool_invocation_finished', nodeId, payload: { idempotency_key: idempotencyKey, ...outcome } };
}

/** The answer counts. */
export function committed({ nodeId, idempotencyKey }: NamedCall): EventDraft {
  return { type: 'command_committed', nodeId, payload: { idempotency_key: idempotencyKey } };
}

/** Every event of a call with this answer, in the order of provable-semantics §3. */
export function eventsOf(call: NamedCall, answer: KeptAnswer): readonly EventDraft[] {
  switch (answer.kind) {
    case 'lost':
      return [started(call)];
    case 'failed':
      return [started(call), finished(call, answer)];
    case 'answered':
      return [started(call), finished(call, answer), committed(call)];
  }
}

const STATES: ReadonlyMap<EventType, StreamState> = new Map([
  ['tool_invocation_started', 'started'],
  ['tool_invocation_finished', 'finished'],
  ['command_committed', 'committed'],
]);

/** What a log says about the call of a node. */
export interface InStream {
  readonly state: StreamState;
  /** How many events of the call there are. */
  readonly count: number;
  /** How the log names the call, where it was declared. */
  readonly call: RecordedCall | undefined;
  /** The answer, where the log has it. */
  readonly answer: ToolAnswer | undefined;
}

const UNKNOWN: InStream = { state: 'none', count: 0, call: undefined, answer: undefined };

/**
 * Reads one of a node's calls from a run's log: the events under the keys with which it was declared. A fork shows the keys
 * of its source, so that the declaration tells which these are. Where the starts have expired, the node's events are all
 * that there is.
 */
export function inStream(
  log: readonly RunEvent[],
  nodeId: string,
  isDeclaredBy: (start: DeclaredCall) => boolean,
): InStream {
  const ofNode = log.filter((event) => event.nodeId === nodeId && STATES.has(event.type));
  const starts = ofNode.filter(({ type }) => type === 'tool_invocation_started');
  const keys = new Set(starts.filter(({ payload }) => isDeclaredBy(declaredIn(payload))).map(keyIn));
  const events = starts.length === 0 ? ofNode : ofNode.filter((event) => keys.has(keyIn(event)));
  const last = events.at(-1);
  const start = events.find(({ type }) => type === 'tool_invocation_started');
  const end = events.findLast(({ type }) => type === 'tool_invocation_finished');
  // Where what came before the last event of a call has expired, its record alone can tell of it.
  if (last?.type === 'command_committed' && events.length === 1) return UNKNOWN;
  return {
    state: (last === undefined ? undefined : STATES.get(last.type)) ?? 'none',
    count: events.length,
    call: start === undefined ? undefined : callIn(start.payload),
    answer: end === undefined ? undefined : answerIn(end.payload as JsonObject),
  };
}

function keyIn({ payload }: RunEvent): string | undefined {
  return stringMember(payload, 'idempotency_key');
}

/** The payload was written by `started` above. */
function declaredIn(payload: unknown): DeclaredCall {
  const { idempotencyKey: key } = callIn(payload);
  return { key, tool: stringMember(payload, 'tool_name') ?? '', args: member(payload, 'arguments') };
}

/** The payload was written by `started` above. */
function callIn(payload: unknown): RecordedCall {
  return {
    idempotencyKey: stringMember(payload, 'idempotency_key') ?? '',
    attempt: stringMember(payload, 'attempt_id') ?? '',
  };
}

/** The payload was written by `finished` above. */
function answerIn(payload: JsonObject): ToolAnswer {
  return payload['outcome'] === 'success'
    ? { kind: 'answered', answer: payload['result'] }
    : { kind: 'failed', message: stringMember(payload['error'], 'message') ?? '' };
}
