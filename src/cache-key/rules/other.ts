import { hash } from 'node:crypto';
import { BREAKS, choices, rule, type Hints, type Rule, type Variant } from './rule.ts';

/** Mistakes without a digest of their own: two answers to one request show them. */
export const pairRules: readonly Rule[] = [
  rule('tenant-in-key', 'the tenant enters the key', BREAKS.tenancy, []),
  rule('request-id-in-key', 'a request or trace id enters the key', BREAKS.transport, []),
  rule('salted', 'the same request gets another key each time', BREAKS.sameKeys, []),
];

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

/** More names than this are tried one by one and all together only: the choices among them would be too many. */
const mostNamesToCombine = 14;

function including(names: readonly string[]): Variant {
  const taken = new Set(names);
  return {
    label: names.join(', '),
    apply: (steps) => ({ ...steps, extra: (name) => steps.extra(name) || taken.has(name) }),
  };
}

function variants({ extraNames }: Hints): readonly Variant[] {
  const few = choices(extraNames, extraNames.length > mostNamesToCombine ? 1 : 3).map(including);
  if (extraNames.length === 0) return [];
  return [...few, { label: 'every member of the request', apply: (steps) => ({ ...steps, extra: () => true }) }];
}

/** A field outside the closed set enters the key; the label names which. */
export const extraFieldIncluded: Rule = {
  code: 'extra-field-included',
  message: 'fields outside the recipe enter the key',
  breaks: ['cache-key.excludes-non-recipe-fields'],
  variants,
};
