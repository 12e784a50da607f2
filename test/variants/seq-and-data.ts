import type { Variant } from './variant.ts';
import { onWire } from './wire.ts';

/** Events carry `seq` beside `sequence` and `data` beside `payload`. */
export const seqAndData: Variant = {
  id: 'seq-and-data',
  parts: onWire((shown) => ({ ...shown, seq: shown['sequence'], data: shown['payload'] })),
};
