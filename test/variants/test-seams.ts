import type { Variant } from './variant.ts';
import { rewritingJson, around, refused } from './wire.ts';

/** The seams put code and message of a refusal inside of `error`. */
export const nestedSeamErrors: Variant = {
  id: 'nested-seam-errors',
  parts: rewritingJson(/\/host\/sample\/test\//, (body) =>
    'error' in body ? { error: { code: body['error'], message: body['message'] } } : body,
  ),
};

/** As many as the host's list holds. */
const LISTED = Array.from({ length: 5 }, () => 'before-append-event');

/** The list of the failpoints that the host has passed is full: what a run passes is found by trying them. */
export const passedFailpointsListFull: Variant = {
  id: 'passed-failpoints-list-full',
  parts: rewritingJson(/\/failpoint\/passed$/, () => ({ passed: LISTED })),
};

/** The host does not report which failpoints it has passed: they are found by trying them. */
export const passedFailpointsNotReported: Variant = {
  id: 'passed-failpoints-not-reported',
  parts: around(/\/failpoint\/passed$/, () => refused(404, 'not_found')),
};
