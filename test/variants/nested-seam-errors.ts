import type { Variant } from './variant.ts';
import { rewritingJson } from './wire.ts';

/** The seams put code and message of a refusal inside of `error`. */
export const nestedSeamErrors: Variant = {
  id: 'nested-seam-errors',
  parts: rewritingJson(/\/host\/sample\/test\//, (body) =>
    'error' in body ? { error: { code: body['error'], message: body['message'] } } : body,
  ),
};
