import type { Variant } from './variant.ts';

/** Events that belong to no node have a null nodeId. */
export const nullNodeId: Variant = {
  id: 'null-node-id',
  parts: () => ({
    eventOnWire: (event) => ({ ...event, nodeId: event.nodeId ?? null, causationId: event.causationId ?? null }),
  }),
};
