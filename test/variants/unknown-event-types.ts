import type { Variant } from './variant.ts';
import { onWire } from './wire.ts';

/** Events of unknown types stand in the log, in the place of the optional provider.usage. */
export const unknownEventTypes: Variant = {
  id: 'unknown-event-types',
  parts: onWire((shown) =>
    shown['type'] === 'provider.usage' ? { ...shown, type: 'acme.meter.v2', payload: [1, null, 'x'] } : shown,
  ),
};
