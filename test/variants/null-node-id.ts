import type { Variant } from './variant.ts';
import { onWire } from './wire.ts';

/** Events that belong to no node have a null nodeId. */
export const nullNodeId: Variant = {
  id: 'null-node-id',
  parts: onWire((shown) => ({ ...shown, nodeId: shown['nodeId'] ?? null, causationId: shown['causationId'] ?? null })),
};
