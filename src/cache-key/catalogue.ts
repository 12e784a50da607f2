import type { Recipe } from './recipe.ts';
import { defaultsFilled, droppings, nullPlaceholders } from './rules/absent.ts';
import { contents, models } from './rules/content.ts';
import { keyRules, textRules } from './rules/encodings.ts';
import { codePointOrders, listOrders } from './rules/list-order.ts';
import { numberRules } from './rules/numbers.ts';
import { objectOrders } from './rules/object-order.ts';
import { omissions } from './rules/omitted.ts';
import { extraFieldIncluded, namesInSnakeCase, otherNamesRead, pairRules, rawBody } from './rules/other.ts';
import { recipeRules } from './rules/recipes.ts';
import { reshapings } from './rules/reshaped.ts';
import type { Rule } from './rules/rule.ts';
import { stringRules } from './rules/strings.ts';

/** What the catalogue says about one name. */
export interface CatalogueEntry {
  readonly code: string;
  readonly message: string;
  /** Requirement ids that the mistake breaks besides `cache-key.reproducible-offline`. */
  readonly breaks: readonly string[];
}

/** Every rule for a selected recipe. The order decides between explanations that explain equally much. */
export function rulesFor(recipe: Recipe): readonly Rule[] {
  return [
    ...recipeRules(recipe),
    nullPlaceholders,
    defaultsFilled,
    ...droppings,
    ...omissions,
    extraFieldIncluded,
    otherNamesRead,
    namesInSnakeCase,
    ...contents,
    ...models,
    ...reshapings,
    ...objectOrders,
    ...codePointOrders,
    ...listOrders,
    ...stringRules,
    ...numberRules,
    ...textRules,
    ...keyRules,
    rawBody,
    ...pairRules,
  ];
}

/** The catalogue as data, one entry a name (readings.md, Wrong keys that have a name). */
export const catalogue: readonly CatalogueEntry[] = entries([...rulesFor('rfc-0041'), ...rulesFor('rfc-0150')]);

function entries(rules: readonly Rule[]): readonly CatalogueEntry[] {
  const byCode = new Map<string, CatalogueEntry>();
  for (const { code, message, breaks } of rules) {
    const known = byCode.get(code);
    byCode.set(
      code,
      known === undefined
        ? { code, message, breaks }
        : { ...known, breaks: [...new Set([...known.breaks, ...breaks])] },
    );
  }
  return [...byCode.values()];
}
