import type { NodeKind } from './node.ts';
import { outputEvents } from './output.ts';

/**
 * `sample.wallClock`: reads the machine's clocks behind the engine's back, as replay.md says no node should. Its replays
 * diverge; the nanoseconds make sure that two readings never agree.
 */
export const wallClock: NodeKind = async function* run(node, world) {
  const value = { time: new Date(world.now()).toISOString(), nanoseconds: String(process.hrtime.bigint()) };
  yield* outputEvents(node, value);
  return { kind: 'completed', output: value };
};
