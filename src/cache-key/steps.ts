import type { Member, NumberNode, ObjectNode } from './json-node.ts';

/** Which request fields a recipe takes, and the object that it puts them into. */
export interface RecipeShape {
  readonly fields: ReadonlySet<string>;
  readonly assemble: (fields: ObjectNode) => ObjectNode;
}

/** The characters between values: none in RFC 8785. `indent` above 0 puts every member on a line of its own. */
export interface Layout {
  readonly comma: string;
  readonly colon: string;
  readonly indent: number;
}

/** Orders two tools by their names and, where a wrong rule wants it, by the rest of them. */
export type ToolOrder = (a: ObjectNode, b: ObjectNode) => number;

/**
 * The key's computation, one member a step, in the order in which they run. The right steps are replay.md §B; a wrong
 * rule replaces one of them, so that two wrong rules can be put together like any two replacements.
 */
export interface Steps {
  readonly recipe: RecipeShape;
  /** Which fields outside the recipe are taken all the same. */
  readonly extra: (name: string) => boolean;
  readonly reshape: readonly ((fields: ObjectNode) => ObjectNode)[];
  /** Undefined keeps the request's order. */
  readonly toolOrder: ToolOrder | undefined;
  /** Applied to every name and string value, before names are ordered. */
  readonly respell: readonly ((value: string) => string)[];
  readonly memberOrder: (members: readonly Member[], depth: number) => readonly Member[];
  /** Undefined where the number has no form. */
  readonly number: (node: NumberNode) => string | undefined;
  /** Applied to a string after it was quoted. */
  readonly requote: readonly ((quoted: string) => string)[];
  /** Undefined where a string with a lone surrogate has no form. */
  readonly loneSurrogates: ((value: string) => string) | undefined;
  readonly layout: Layout;
  readonly finish: readonly ((text: string) => string)[];
  readonly bytes: (text: string) => Uint8Array | string;
  readonly hash: (bytes: Uint8Array | string) => Buffer;
  readonly encode: (digest: Buffer) => string;
}
