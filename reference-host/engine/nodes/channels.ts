import type { JsonObject } from '../../json.ts';
import { isObject, member, stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';
import { invalidConfig } from './output.ts';

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
export const DUPLICATE = { messageId: 'message-1', content: 'said twice' } as const;
