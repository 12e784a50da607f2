import { arrayNode, type JsonNode, nullNode, type ObjectNode, objectNode, valueOf } from '../json-node.ts';
import { type Recipe, recipeShapes } from '../recipe.ts';
import { replacing, rule, type Rule, type Variant } from './rule.ts';

function printedWith(formatName: string, formatOf: (format: JsonNode | undefined) => JsonNode): Variant {
  const assemble = (fields: ObjectNode): ObjectNode => {
    const member = (key: string, absent: JsonNode): { readonly key: string; readonly value: JsonNode } => ({
      key,
      value: valueOf(fields, key) ?? absent,
    });
    return objectNode([
      ...['model', 'provider', 'messages'].map((key) => member(key, nullNode)),
      member('tools', arrayNode([])),
      member('temperature', nullNode),
      { key: formatName, value: formatOf(valueOf(fields, 'responseFormat')) },
    ]);
  };
  return replacing(`with ${formatName}`, { recipe: { fields: recipeShapes['rfc-0041'].fields, assemble } });
}

function schemaOf(format: JsonNode | undefined): JsonNode {
  return (format?.kind === 'object' ? valueOf(format, 'schema') : undefined) ?? nullNode;
}

const nullForm: Rule = rule(
  'recipe-null-form',
  'the object printed in RFC 0041 §A is hashed, with nulls for absent fields, instead of replay.md §B',
  ['cache-key.omits-absent', 'cache-key.includes-recipe-fields'],
  [
    printedWith('responseSchema', schemaOf),
    {
      ...printedWith('responseSchema', (format) => format ?? nullNode),
      label: 'with the whole responseFormat as responseSchema',
    },
    printedWith('responseFormat', (format) => format ?? nullNode),
  ],
);

const otherNames: Readonly<Record<Recipe, Rule>> = {
  'rfc-0041': rule(
    'recipe-rfc-0150',
    'the recipe of the later RFC 0150 is followed',
    [],
    [replacing('', { recipe: recipeShapes['rfc-0150'] })],
  ),
  'rfc-0150': rule(
    'recipe-rfc-0041',
    'the recipe of RFC 0041 is followed',
    [],
    [replacing('', { recipe: recipeShapes['rfc-0041'] })],
  ),
};

/** The recipes that a host may follow instead of the selected one. */
export function recipeRules(selected: Recipe): readonly Rule[] {
  return [otherNames[selected], nullForm];
}
