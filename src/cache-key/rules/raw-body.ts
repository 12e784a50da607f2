import { hash } from 'node:crypto';
import { rule, type Rule } from './rule.ts';

/** A mistake that no steps describe: they begin with a request that was read. */
export const rawBody: Rule = rule(
  'raw-body',
  'the body is hashed as it came',
  [
    'cache-key.canonical-tool-schema',
    'cache-key.excludes-non-recipe-fields',
    'cache-key.jcs-key-order',
    'cache-key.jcs-numbers',
    'cache-key.jcs-strings',
    'cache-key.omits-absent',
    'cache-key.sorts-tools',
  ],
  [],
);

/** The key that a host with this mistake gives for a request's text. */
export function rawBodyKey(requestText: string): string {
  return hash('sha256', requestText, 'hex');
}
