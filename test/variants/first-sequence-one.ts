import type { Variant } from './variant.ts';

/** Logs count from 1. */
export const firstSequenceOne: Variant = {
  id: 'first-sequence-one',
  parts: () => ({ firstSequence: 1 }),
};
