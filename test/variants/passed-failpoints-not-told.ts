import { around, refused } from './wire.ts';
import type { Variant } from './variant.ts';

/** The host does not tell which failpoints it has passed: they are found by trying them. */
export const passedFailpointsNotTold: Variant = {
  id: 'passed-failpoints-not-told',
  parts: around(/\/failpoint\/passed$/, () => refused(404, 'not_found')),
};
