import { around, refused } from './wire.ts';
import type { Variant } from './variant.ts';

/** The host does not report which failpoints it has passed: they are found by trying them. */
export const passedFailpointsNotReported: Variant = {
  id: 'passed-failpoints-not-reported',
  parts: around(/\/failpoint\/passed$/, () => refused(404, 'not_found')),
};
