import { advertisedRecipe } from '../../src/contract/discovery.ts';
import { VENDOR_RECIPE } from '../../src/contract/gates.ts';
import { shown, type Row } from './row.ts';

const ABOUT_RECIPE = /recipe|cache-?_?key/iu;

/**
 * 0041 §D: a vendor recipe's algorithm is documented at the discovery document. The text names no place, so any is
 * taken: a member that says more about the recipe than its identifier — by naming it in a key or a text, or by being
 * called after recipes or cache keys — with something in it.
 */
export const judgeVendorRecipeDocumented: Row = ({ document, discovery }) => {
  const recipe = advertisedRecipe(discovery);
  if (recipe === undefined || !VENDOR_RECIPE.test(recipe)) {
    return { verdict: 'not-applicable', reason: `llmCacheKeyRecipe is ${shown(recipe)}, no vendor recipe` };
  }
  return documents(document, recipe)
    ? { verdict: 'pass' }
    : {
        verdict: 'fail',
        expected: `a description of ${recipe} in the discovery document, or a link to one`,
        actual: 'nothing in the document says more about the recipe than its identifier',
      };
};

function documents(value: unknown, recipe: string): boolean {
  if (typeof value === 'string') return value.includes(recipe) && value !== recipe;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, item]) =>
      (key !== 'llmCacheKeyRecipe' && (key.includes(recipe) || ABOUT_RECIPE.test(key)) && says(item, recipe)) ||
      documents(item, recipe),
  );
}

function says(value: unknown, recipe: string): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value !== recipe;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
