import { NODE, spend } from './work.ts';

/** Where a node stood in its source text: `[start, end)` in UTF-16 code units; both 0 on a node that no text holds. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** One name and value of an object, in the order of the text; a repeated name appears once for each time. */
export interface Member {
  readonly key: string;
  readonly value: JsonNode;
}

export interface NumberNode extends Span {
  readonly kind: 'number';
  /** The spelling in the text: `1.0`, `1e-07`, `-0.0` keep what a parsed number has lost. */
  readonly raw: string;
  readonly value: number;
}

export interface StringNode extends Span {
  readonly kind: 'string';
  readonly value: string;
}

export interface ArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

export interface ObjectNode extends Span {
  readonly kind: 'object';
  readonly members: readonly Member[];
}

/** A JSON value as its text spelled it. Objects are lists of members, so no name, `__proto__` included, is special. */
export type JsonNode =
  | (Span & { readonly kind: 'null' })
  | (Span & { readonly kind: 'boolean'; readonly value: boolean })
  | NumberNode
  | StringNode
  | ArrayNode
  | ObjectNode;

const nowhere: Span = { start: 0, end: 0 };

/** The node of `null`. */
export const nullNode: JsonNode = { kind: 'null', ...nowhere };

/** A string node with this value. */
export function stringNode(value: string): StringNode {
  return { kind: 'string', value, ...nowhere };
}

/** A number node spelled as ECMAScript spells the value. */
export function numberNode(value: number): NumberNode {
  return { kind: 'number', raw: String(value), value, ...nowhere };
}

/** An array node with these items. */
export function arrayNode(items: readonly JsonNode[]): ArrayNode {
  return { kind: 'array', items, ...nowhere };
}

/** An object node with these members, in this order. */
export function objectNode(members: readonly Member[]): ObjectNode {
  return { kind: 'object', members, ...nowhere };
}

/** The value under a name, or undefined, as of what is no object; of a repeated name the last one, as JSON.parse reads it. */
export function valueOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;
}

/** The string under a name, or undefined. */
export function textOf(node: JsonNode | undefined, key: string): string | undefined {
  const value = valueOf(node, key);
  return value?.kind === 'string' ? value.value : undefined;
}

/** The same object with one member replaced where it stands, or appended where it was absent. */
export function withMember(node: ObjectNode, key: string, value: JsonNode): ObjectNode {
  spend(NODE * node.members.length);
  const present = node.members.some((member) => member.key === key);
  return objectNode(
    present
      ? node.members.map((member) => (member.key === key ? { key, value } : member))
      : [...node.members, { key, value }],
  );
}

/** The same object without the members of these names. */
export function withoutMembers(node: ObjectNode, keys: ReadonlySet<string>): ObjectNode {
  return objectNode(node.members.filter((member) => !keys.has(member.key)));
}

/** The same value with `change` applied to every node, innermost first; what it leaves as it is stays the same node. */
export function rewrite(node: JsonNode, change: (node: JsonNode) => JsonNode): JsonNode {
  spend(NODE);
  switch (node.kind) {
    case 'array': {
      const items = node.items.map((item) => rewrite(item, change));
      return change(items.every((item, index) => item === node.items[index]) ? node : { ...node, items });
    }
    case 'object': {
      const members = node.members.map((member) => {
        const value = rewrite(member.value, change);
        return value === member.value ? member : { key: member.key, value };
      });
      return change(members.every((member, index) => member === node.members[index]) ? node : { ...node, members });
    }
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return change(node);
  }
}
