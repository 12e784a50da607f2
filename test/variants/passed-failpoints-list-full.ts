import type { Variant } from './variant.ts';
import { rewritingJson } from './wire.ts';

/** As many as the host's list holds. */
const LISTED = Array.from({ length: 5 }, () => 'before-append-event');

/** The list of the failpoints that the host has passed is full: what a run passes is found by trying them. */
export const passedFailpointsListFull: Variant = {
  id: 'passed-failpoints-list-full',
  parts: rewritingJson(/\/failpoint\/passed$/, () => ({ passed: LISTED })),
};
