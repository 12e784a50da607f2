import type { Variant } from './variant.ts';

/** Events of unknown types stand in the log, in the place of the optional provider.usage. */
export const unknownEventTypes: Variant = {
  id: 'unknown-event-types',
  parts: () => ({
    eventOnWire: (event) =>
      event.type === 'provider.usage' ? { ...event, type: 'acme.meter.v2', payload: [1, null, 'x'] } : event,
  }),
};
