import { type JsonNode, type ObjectNode, objectNode, rewrite, valueOf, withMember } from '../json-node.ts';

/** The fields with every object of one list (`messages`, `tools`) replaced. */
export function mapItems(
  fields: ObjectNode,
  list: 'messages' | 'tools',
  change: (item: ObjectNode) => ObjectNode,
): ObjectNode {
  return mapList(fields, list, (items) => items.map((item) => (item.kind === 'object' ? change(item) : item)));
}

/** The fields with one list (`messages`, `tools`) replaced; unchanged where it is absent. */
export function mapList(
  fields: ObjectNode,
  list: 'messages' | 'tools',
  change: (items: readonly JsonNode[]) => readonly JsonNode[],
): ObjectNode {
  const node = valueOf(fields, list);
  return node?.kind === 'array' ? withMember(fields, list, { ...node, items: change(node.items) }) : fields;
}

/** The fields with every message's content replaced. */
export function mapContent(fields: ObjectNode, change: (content: JsonNode) => JsonNode): ObjectNode {
  return mapItems(fields, 'messages', (message) => mapMember(message, 'content', change));
}

/** The object with one member's value replaced; unchanged where it is absent, and where the node is no object. */
export function mapMember<N extends JsonNode>(
  node: N,
  key: string,
  change: (value: JsonNode) => JsonNode,
): N | ObjectNode {
  const value = valueOf(node, key);
  return node.kind !== 'object' || value === undefined ? node : withMember(node, key, change(value));
}

/** The fields with the responseFormat's object replaced. */
export function mapFormat(fields: ObjectNode, change: (format: ObjectNode) => ObjectNode): ObjectNode {
  return mapMember(fields, 'responseFormat', (format) => (format.kind === 'object' ? change(format) : format));
}

/** The fields with `change` applied to every node below them. */
export function rewriteFields(fields: ObjectNode, change: (node: JsonNode) => JsonNode): ObjectNode {
  const changed = rewrite(fields, change);
  return changed.kind === 'object' ? changed : fields;
}

/** The object with these members appended where they are absent. */
export function filled(node: ObjectNode, defaults: readonly (readonly [string, JsonNode])[]): ObjectNode {
  const absent = defaults.filter(([key]) => valueOf(node, key) === undefined);
  return absent.length === 0 ? node : objectNode([...node.members, ...absent.map(([key, value]) => ({ key, value }))]);
}
