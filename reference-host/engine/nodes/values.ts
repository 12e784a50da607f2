import { member, stringMember, type JsonObject, isObject } from '../../json.ts';
import type { EventType } from '../../store/event.ts';
import type { NodeView } from '../../store/fold.ts';
import { inputsOf, invalidConfig, outputEvents } from './inputs.ts';
import type { NodeKind } from './node.ts';

/**
 * `core.channelWrite`: writes `config.value` into the channel `config.channelName`, after what is there where the reducer is
 * "append". Entries older than `config.ttlMs` are dropped, by the time at which each was recorded: a replay drops the same.
 */
export const channelWrite: NodeKind = async function* run(node, world, view) {
  const channel = stringMember(node.config, 'channelName');
  if (channel === undefined) return invalidConfig('config.channelName must be a string.');
  const value = member(node.config, 'value') ?? null;
  const write = (written: unknown) =>
    ({ type: 'channel.written', nodeId: node.id, payload: { channel, value: written } }) as const;
  if (member(node.config, 'reducer') !== 'append') {
    yield write(value);
    return { kind: 'completed', output: value };
  }
  const ttlMs = member(node.config, 'ttlMs');
  const { events } = await world.observe({
    nodeId: node.id,
    request: { kind: 'core.channelWrite', channel, value },
    perform: () => {
      const now = world.now();
      const oldest = typeof ttlMs === 'number' ? now - ttlMs : -Infinity;
      const entries = entriesIn(view.channels.get(channel)).filter((entry) => writtenAt(entry) >= oldest);
      return { value, events: [write([...entries, { value, writtenAt: new Date(now).toISOString() }])] };
    },
  });
  yield* events;
  return { kind: 'completed', output: value };
};

function entriesIn(held: unknown): readonly JsonObject[] {
  return Array.isArray(held) ? held.filter(isObject) : [];
}

function writtenAt(entry: JsonObject): number {
  return Date.parse(stringMember(entry, 'writtenAt') ?? '');
}

/** The message that a node hands on twice, as one: the channel `messages` knows it by its id. */
const DUPLICATE = { messageId: 'message-1', content: 'said twice' } as const;

/** `core.noop`: hands its inputs on as its output. */
// oxlint-disable-next-line eslint/require-yield -- a node kind without events of its own
export const noop: NodeKind = async function* run(node) {
  return { kind: 'completed', output: node.inputs };
};

/** `core.constant`: `config.value`. */
export const constant: NodeKind = async function* run(node) {
  const value = member(node.config, 'value') ?? null;
  yield* outputEvents(node, value);
  return { kind: 'completed', output: value };
};

/**
 * `core.identity`: what `config.name` is called in `config.source`; null where there is none. Without a source its inputs,
 * the only one as it is; with `emitDuplicateMessageId` a message that is handed on twice, and is one in its channel.
 */
export const identity: NodeKind = async function* run(node, _world, view) {
  if (member(node.config, 'emitDuplicateMessageId') === true) {
    const written = { channel: 'messages', value: [DUPLICATE] };
    for (let time = 0; time < 2; time += 1) yield { type: 'channel.written', nodeId: node.id, payload: written };
    return { kind: 'completed', output: DUPLICATE };
  }
  if (member(node.config, 'source') === undefined && member(node.config, 'name') === undefined) {
    const inputs = inputsOf(node, view);
    const [only, ...others] = Object.values(inputs);
    const output = others.length === 0 && only !== undefined ? only : inputs;
    yield* outputEvents(node, output);
    return { kind: 'completed', output };
  }
  const name = stringMember(node.config, 'name');
  const read = READERS.get(stringMember(node.config, 'source') ?? '');
  if (name === undefined || read === undefined) {
    return invalidConfig('config.source must be inputs, configurable, variables or channels, config.name a string.');
  }
  const value = read(view, name) ?? null;
  yield* outputEvents(node, value);
  return { kind: 'completed', output: value };
};

const READERS: ReadonlyMap<string, (view: NodeView, name: string) => unknown> = new Map([
  ['inputs', ({ options }, name) => member(member(options, 'inputs'), name)],
  ['configurable', ({ options }, name) => member(member(options, 'configurable'), name)],
  ['variables', ({ variables }, name) => variables.get(name)],
  ['channels', ({ channels }, name) => channels.get(name)],
] satisfies [string, (view: NodeView, name: string) => unknown][]);

/** `core.setVariable`: writes `config.value` into the variable `config.variable`. */
export const setVariable = writing('variable', 'variable.changed');

/** `core.writeChannel`: writes `config.value` into the channel `config.channel`. */
export const writeChannel = writing('channel', 'channel.written');

function writing(what: 'variable' | 'channel', type: EventType): NodeKind {
  return async function* run(node) {
    const name = stringMember(node.config, what);
    if (name === undefined) return invalidConfig(`config.${what} must be a string.`);
    const value = member(node.config, 'value') ?? null;
    yield { type, nodeId: node.id, payload: { [what === 'channel' ? 'channel' : 'name']: name, value } };
    return { kind: 'completed', output: value };
  };
}

/**
 * `core.fail`: fails always, with `config.code` and `config.message`; the JSON text of the variable `config.messageVariable`
 * follows the message.
 */
// oxlint-disable-next-line eslint/require-yield -- a node kind without events of its own
export const fail: NodeKind = async function* run(node, _world, view) {
  const variable = stringMember(node.config, 'messageVariable');
  const message = stringMember(node.config, 'message') ?? 'This node fails always.';
  const said = variable === undefined ? '' : ` ${JSON.stringify(view.variables.get(variable) ?? null)}`;
  const code = stringMember(node.config, 'code') ?? 'failed';
  return { kind: 'failed', error: { code, message: message + said } };
};
