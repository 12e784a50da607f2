import { arrayNode, type JsonNode, nullNode, type ObjectNode, objectNode, valueOf } from '../json-node.ts';
import { type Recipe, recipeShapes } from '../recipe.ts';
import { BREAKS, replacing, rule, type Rule, type Variant } from './rule.ts';

/** How the printed object is filled: what an absent `tools` becomes, and what stands for the response's schema. */
function printed(label: string, noTools: JsonNode, schemaOf: (format: JsonNode | undefined) => JsonNode): Variant {
  const assemble = (fields: ObjectNode): ObjectNode => {
    const member = (key: string, absent: JsonNode): { readonly key: string; readonly value: JsonNode } => ({
      key,
      value: valueOf(fields, key) ?? absent,
    });
    return objectNode([
      ...['model', 'provider', 'messages'].map((key) => member(key, nullNode)),
      member('tools', noTools),
      member('temperature', nullNode),
      { key: 'responseSchema', value: schemaOf(valueOf(fields, 'responseFormat')) },
    ]);
  };
  return replacing(label, { recipe: { fields: recipeShapes['rfc-0041'].fields, assemble } });
}

function schemaInside(format: JsonNode | undefined): JsonNode {
  return valueOf(format, 'schema') ?? nullNode;
}

const toolForms = [
  ['[] for absent tools', arrayNode([])],
  ['null for absent tools', nullNode],
] as const;

const schemaForms = [
  ['the schema of responseFormat', schemaInside],
  ['the whole responseFormat as its schema', (format: JsonNode | undefined) => format ?? nullNode],
  ['no schema ever', () => nullNode],
] as const;

const nullForm: Rule = rule(
  'recipe-null-form',
  'the object printed in RFC 0041 §A is hashed, with nulls for absent fields, instead of replay.md §B',
  BREAKS.object,
  schemaForms.flatMap(([schema, schemaOf]) =>
    toolForms.map(([tools, noTools]) => printed(`${tools}, ${schema}`, noTools, schemaOf)),
  ),
);

const otherNames: Readonly<Record<Recipe, Rule>> = {
  'rfc-0041': rule('recipe-rfc-0150', 'the recipe of the later RFC 0150 is followed', BREAKS.nothing, [
    replacing('', { recipe: recipeShapes['rfc-0150'] }),
  ]),
  'rfc-0150': rule('recipe-rfc-0041', 'the recipe of RFC 0041 is followed', BREAKS.nothing, [
    replacing('', { recipe: recipeShapes['rfc-0041'] }),
  ]),
};

/** The recipes that a host may follow instead of the selected one. */
export function recipeRules(selected: Recipe): readonly Rule[] {
  return [otherNames[selected], nullForm];
}
