import { randomInt } from 'node:crypto';
import { newId } from '../../ids.ts';
import { stringMember } from '../../json.ts';
import type { NodeKind } from './node.ts';
import { observingNode, outputEvents } from './inputs.ts';

/** `core.clock`: the time by the engine's clock, which is read once and then remembered (replay.md, Determinism 4). */
export const clock = observingNode((node, now) => ({
  request: { kind: 'core.clock' },
  perform: () => {
    const value = new Date(now()).toISOString();
    return { value, events: outputEvents(node, value) };
  },
}));

/** `core.random`: a whole number below 2^47. */
export const random = observingNode((node) => ({
  request: { kind: 'core.random' },
  perform: () => {
    const value = randomInt(2 ** 47);
    return { value, events: outputEvents(node, value) };
  },
}));

/**
 * `core.memory.write`: puts something into a memory under `config.key`. The event is a recorded fact without the content:
 * a replay shows the same identifier and time again (replay.md, Determinism 5).
 */
export const memoryWrite = observingNode((node, now) => {
  const key = stringMember(node.config, 'key') ?? node.id;
  return {
    request: { kind: 'core.memory.write', key },
    perform: () => {
      const value = { memoryId: newId('mem', now()) };
      const fact = { ...value, key, writtenAt: new Date(now()).toISOString() };
      const written = { type: 'memory.written', nodeId: node.id, payload: fact } as const;
      return { value, events: [written, ...outputEvents(node, value)] };
    },
  };
});

/**
 * `sample.wallClock`: reads the machine's clocks behind the engine's back, as replay.md says no node should. Its replays
 * diverge; the nanoseconds make sure that two readings never agree.
 */
export const wallClock: NodeKind = async function* run(node, world) {
  const value = { time: new Date(world.now()).toISOString(), nanoseconds: String(process.hrtime.bigint()) };
  yield* outputEvents(node, value);
  return { kind: 'completed', output: value };
};
