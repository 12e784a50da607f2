import { advertisedRecipe, executionModelVersion, member } from '../../src/contract/discovery.ts';
import { VENDOR_RECIPE } from '../../src/contract/gates.ts';
import { fail, notApplicable, pass, type Outcome } from '../../src/contract/outcome.ts';
import { shown, type Advertised } from './advertised.ts';

/** 0041 §D: the recipe is named `spec-rfc-0041` or after the vendor pattern. */
export function judgeRecipeIdentifier({ discovery, evidence }: Advertised): Outcome {
  const recipe = member(discovery.replayDeterminism?.value, 'llmCacheKeyRecipe');
  if (recipe === undefined) return notApplicable('no llmCacheKeyRecipe is advertised', evidence);
  const isNamed = typeof recipe === 'string' && (recipe === 'spec-rfc-0041' || VENDOR_RECIPE.test(recipe));
  if (isNamed) return pass(evidence);
  return fail({ expected: 'spec-rfc-0041 or x-host-<host>-<recipe>', actual: shown(recipe) }, evidence);
}

/** 0041 §D: version 4 comes with replay determinism, a named recipe and the commitment to emit refusal divergence. */
export function judgeVersionFourComplete({ discovery, evidence }: Advertised): Outcome {
  const version = executionModelVersion(discovery);
  if (version === undefined || version < 4) {
    const value = shown(member(discovery.executionModel?.value, 'version'));
    return notApplicable(`executionModel.version is ${value}`, evidence);
  }
  const block = discovery.replayDeterminism?.value;
  const supported = member(block, 'supported');
  const recipe = member(block, 'llmCacheKeyRecipe');
  const emission = member(block, 'refusalDivergenceEmission');
  const wrong = [
    ...(supported === true ? [] : [`replayDeterminism.supported is ${shown(supported)}`]),
    ...(typeof recipe === 'string' && recipe !== '' ? [] : [`llmCacheKeyRecipe is ${shown(recipe)}`]),
    ...(emission === true ? [] : [`refusalDivergenceEmission is ${shown(emission)}`]),
  ];
  if (wrong.length === 0) return pass(evidence);
  const expected = `with version ${version}: supported true, a named recipe, refusalDivergenceEmission true`;
  return fail({ expected, actual: wrong.join('; ') }, evidence);
}

const ABOUT_RECIPE = /recipe|cache-?_?key/iu;

/**
 * 0041 §D: a vendor recipe's algorithm is documented at the discovery document. The text names no place, so any is
 * taken: a member that says more about the recipe than its identifier — by naming it in a key or a text, or by being
 * called after recipes or cache keys — with something in it.
 */
export function judgeVendorRecipeDocumented({ document, discovery, evidence }: Advertised): Outcome {
  const recipe = advertisedRecipe(discovery.replayDeterminism);
  if (recipe === undefined || !VENDOR_RECIPE.test(recipe)) {
    return notApplicable(`llmCacheKeyRecipe is ${shown(recipe)}, no vendor recipe`, evidence);
  }
  if (documents(document, recipe)) return pass(evidence);
  const expected = `a description of ${recipe} in the discovery document, or a link to one`;
  const actual = 'nothing in the document says more about the recipe than its identifier';
  return fail({ expected, actual }, evidence);
}

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
