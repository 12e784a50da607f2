import type { Variant } from './variant.ts';

/** Events carry `seq` beside `sequence` and `data` beside `payload`. */
export const seqAndData: Variant = {
  id: 'seq-and-data',
  parts: () => ({ eventOnWire: (event) => ({ ...event, seq: event.sequence, data: event.payload }) }),
};
