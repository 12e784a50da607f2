import { choices, type Hints, type Rule, type Variant } from './rule.ts';

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
