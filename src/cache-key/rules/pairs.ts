import { rule, type Rule } from './rule.ts';

/** Mistakes without a digest of their own: two answers to one request show them. */
export const pairRules: readonly Rule[] = [
  rule(
    'tenant-in-key',
    'the tenant enters the key',
    ['cache-key.excludes-transport', 'cache-key.not-a-security-boundary'],
    [],
  ),
  rule('request-id-in-key', 'a request id enters the key', ['cache-key.excludes-transport'], []),
  rule('salted', 'the same request gets another key each time', ['cache-key.deterministic'], []),
];
