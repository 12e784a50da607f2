import { member } from '../../src/contract/discovery.ts';
import { VENDOR_RECIPE } from '../../src/contract/gates.ts';
import { shown, type Row } from './row.ts';

/** 0041 §D: the recipe is named `spec-rfc-0041` or after the vendor pattern. */
export const judgeRecipeIdentifier: Row = ({ discovery }) => {
  const recipe = member(discovery.replayDeterminism?.value, 'llmCacheKeyRecipe');
  if (recipe === undefined) return { verdict: 'not-applicable', reason: 'no llmCacheKeyRecipe is advertised' };
  const named = typeof recipe === 'string' && (recipe === 'spec-rfc-0041' || VENDOR_RECIPE.test(recipe));
  return named
    ? { verdict: 'pass' }
    : { verdict: 'fail', expected: 'spec-rfc-0041 or x-host-<host>-<recipe>', actual: shown(recipe) };
};
