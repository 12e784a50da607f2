import { hash } from 'node:crypto';
import { type JsonNode, type NumberNode, type ObjectNode, textOf } from './json-node.ts';
import { byCodeUnit, sortedMembers } from './member-order.ts';
import { type Recipe, recipeShapes } from './recipe.ts';
import type { RecipeShape, Steps } from './steps.ts';
import { writeNode } from './write.ts';

/** A number as ECMAScript prints it (RFC 8785 §3.2.2.3), `-0` as `0`; undefined beyond the range of a double. */
export function ecmaNumber({ value }: NumberNode): string | undefined {
  return Number.isFinite(value) ? String(value) : undefined;
}

/** The name by which a tool is ordered; empty where it has none. */
export function toolName(tool: ObjectNode): string {
  return textOf(tool, 'name') ?? '';
}

function stepsOf(recipe: RecipeShape): Steps {
  return {
    recipe,
    extra: () => false,
    reshape: [],
    toolOrder: (a, b) => byCodeUnit(toolName(a), toolName(b)),
    respell: [],
    memberOrder: sortedMembers,
    number: ecmaNumber,
    requote: [],
    loneSurrogates: undefined,
    layout: { comma: ',', colon: ':', indent: 0 },
    finish: [],
    bytes: (text) => text,
    hash: (bytes) => hash('sha256', bytes, 'buffer'),
    encode: (digest) => digest.toString('hex'),
  };
}

/** The steps of replay.md §B for each recipe. */
export const rightSteps: Readonly<Record<Recipe, Steps>> = {
  'rfc-0041': stepsOf(recipeShapes['rfc-0041']),
  'rfc-0150': stepsOf(recipeShapes['rfc-0150']),
};

/** A tree's RFC 8785 text; empty where it has none, which is enough to order by. */
export function canonicalNode(node: JsonNode): string {
  const written = writeNode(node, rightSteps['rfc-0041']);
  return written.ok ? written.text : '';
}
