import type { NodeKind } from './node.ts';
import { numberOf, outputEvents } from './inputs.ts';

/** Milliseconds where neither the inputs nor the definition say how long. */
const SHORTLY = 1000;

/**
 * `core.delay`: waits for `delayMs`, `durationMs` or `ms` milliseconds and says how long it was. A replay does not wait: how
 * long it was is on record (replay.md, Determinism 4).
 */
export const delay: NodeKind = async function* run(node, world, view) {
  const milliseconds = numberOf(node, view, ['delayMs', 'durationMs', 'ms']) ?? SHORTLY;
  const { value, events } = await world.observe({
    nodeId: node.id,
    request: { kind: 'core.delay', milliseconds },
    perform: async () => {
      const begun = world.now();
      await world.sleep(milliseconds);
      const waited = { waitedMs: Math.max(milliseconds, world.now() - begun) };
      return { value: waited, events: outputEvents(node, waited) };
    },
  });
  yield* events;
  return { kind: 'completed', output: value };
};
