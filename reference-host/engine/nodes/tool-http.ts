import { isDeepStrictEqual } from 'node:util';
import { askJson, type JsonAnswer, type JsonRequest } from '../../ask-json.ts';
import { isObject, member, stringMember, type JsonObject, parseJson } from '../../json.ts';
import { sameNonce } from '../../ledger/verification.ts';
import type { EventDraft } from '../../store/event.ts';
import type { NodeView } from '../../store/fold.ts';
import type { WorkflowNode } from '../../types/workflow.ts';
import type { InvocationOutcome, Verification, VerificationMode, World, ToolAnswer } from '../../types/world.ts';
import { invalidConfig, outputEvents } from './inputs.ts';
import { failed, type NodeKind } from './node.ts';

/**
 * Asks a tool for JSON, without an exception. The message of a failure holds nothing that changes from one call to the
 * next, so that it may stand in a log.
 */
export async function callHttp(call: JsonRequest): Promise<ToolAnswer> {
  const answer = await askJson(call);
  if (!answer.ok) return toolFailed(WHY[answer.why]);
  if (answer.status < 200 || answer.status > 299) return toolFailed(`The tool answered with status ${answer.status}.`);
  const reading = parseJson(answer.text);
  return reading.ok ? { kind: 'answered', answer: reading.value } : toolFailed('The tool did not answer with JSON.');
}

const WHY: Readonly<Record<Extract<JsonAnswer, { ok: false }>['why'], string>> = {
  'not an http address': 'The tool has no http address.',
  'no answer': 'The tool gave no answer.',
  'answer too large': 'The tool answered with too many bytes.',
};

function toolFailed(message: string): ToolAnswer {
  return { kind: 'failed', message };
}

/**
 * `core.tool.http`: calls `config.path` below `inputs.witnessUrl`, at most once. What the tool answered is kept together
 * with the events that the answer led to: the variable, the channel and the line of the log (replay.md, Phase 4 §C). A
 * failed call is kept as well, because the outside world has seen it.
 */
export const toolHttp: NodeKind = async function* run(node, world, view) {
  const base = stringMember(member(view.options, 'inputs'), 'witnessUrl');
  const path = stringMember(node.config, 'path');
  if (base === undefined || path === undefined) {
    return invalidConfig('config.path must be a string, inputs.witnessUrl an address.');
  }
  if (!world.outbound) {
    return failed('outbound_disabled', 'This host calls nobody outside itself unless its test seams are enabled.');
  }
  const answers: unknown[] = [];
  const calls = severalArgs(node, view);
  for (const given of calls ?? [args(node, view)]) {
    const outcome = yield* callOnce({ node, world, view, base, path }, given);
    if (outcome.kind !== 'answered') return outcome;
    yield* outcome.events;
    answers.push(outcome.answer);
  }
  return { kind: 'completed', output: calls === undefined ? answers[0] : answers };
};

interface Calling {
  readonly node: WorkflowNode;
  readonly world: World;
  readonly view: NodeView;
  readonly base: string;
  readonly path: string;
}

/** One call of the node's tool. */
function callOnce(
  { node, world, view, base, path }: Calling,
  given: JsonObject | undefined,
): AsyncGenerator<EventDraft, InvocationOutcome> {
  const call = request(node, base + path, given);
  const verification = verificationOf(node, world, base);
  return world.invoke({
    nodeId: node.id,
    tool: stringMember(node.config, 'tool') ?? node.typeId,
    args: given ?? {},
    request: { kind: node.typeId, ...call },
    execute: (key) =>
      callHttp({ ...call, headers: { 'idempotency-key': key }, patienceMs: patience(node, world, view) }),
    effects: (answer) => effects(node, answer),
    ...(verification === undefined ? {} : { verification }),
  });
}

/** Most calls of one node. */
const MOST_CALLS = 20;

/** The arguments of each of several calls, where the run's input that `config.callsInput` names is a list of objects. */
function severalArgs({ config }: WorkflowNode, { options }: NodeView): readonly JsonObject[] | undefined {
  const given = member(member(options, 'inputs'), stringMember(config, 'callsInput') ?? '');
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_CALLS || !given.every(isObject))
    return undefined;
  // Equal arguments are one call: they have one key.
  return given.filter((each, index) => given.findIndex((other) => isDeepStrictEqual(other, each)) === index);
}

/** How long the tool may take: as the run's input says that `config.timeoutInput` names, and no longer than any tool. */
function patience({ config }: WorkflowNode, { patienceMs }: World, { options }: NodeView): number {
  const given = member(member(options, 'inputs'), stringMember(config, 'timeoutInput') ?? '');
  return typeof given === 'number' && given > 0 && given < patienceMs ? given : patienceMs;
}

/** What the definition or the run gives the tool; undefined where neither says so. */
function args({ config }: WorkflowNode, { options }: NodeView): JsonObject | undefined {
  const input = stringMember(config, 'argsInput');
  const given = input === undefined ? member(config, 'args') : (member(member(options, 'inputs'), input) ?? {});
  return isObject(given) ? given : undefined;
}

/** The content of the call, and nothing else: it identifies the call's record. */
function request(
  { id, config }: WorkflowNode,
  url: string,
  given: JsonObject | undefined,
): { method: string; url: string; body?: JsonObject } {
  const method = stringMember(config, 'method') ?? 'POST';
  return method === 'GET' ? { method, url } : { method, url, body: given ?? { nodeId: id } };
}

/** `config.verify` and `config.verification`: a resource below the same address, and what its disagreement means. */
function verificationOf({ config }: WorkflowNode, { patienceMs }: World, base: string): Verification | undefined {
  const resource = stringMember(member(config, 'verify'), 'resource');
  if (resource === undefined) return undefined;
  const url = `${base}/resources/${encodeURIComponent(resource)}`;
  return {
    mode: MODES.get(stringMember(config, 'verification') ?? ''),
    agrees: async (answer) => {
      const found = await callHttp({ method: 'GET', url, patienceMs });
      return found.kind === 'answered' && sameNonce(found.answer, answer);
    },
  };
}

const MODES: ReadonlyMap<string, VerificationMode> = new Map([
  ['strict', 'strict'],
  ['warn', 'warn'],
  ['human-in-loop', 'human-in-loop'],
]);

function effects(node: WorkflowNode, answer: unknown): readonly EventDraft[] {
  const channel = stringMember(node.config, 'channel');
  const nodeId = node.id;
  return [
    ...outputEvents(node, answer),
    ...(channel === undefined
      ? []
      : [{ type: 'channel.written', nodeId, payload: { channel, value: answer } } as const]),
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
