import { type JsonNode, objectNode, type ObjectNode, rewrite, stringNode, textOf, valueOf } from '../json-node.ts';
import { byCodePoint, byCodeUnit, withoutRepeats } from '../member-order.ts';
import { canonicalNode, toolName } from '../right-steps.ts';
import { collated } from './collated.ts';
import { mapFormat, mapItems, mapList, mapMember, rewriteFields } from './fields.ts';
import { BREAKS, replacing, reshaping, rule, type Rule, type Variant } from './rule.ts';

type Compare = (a: string, b: string) => number;

function toolsBy(label: string, compare: Compare): Variant {
  return replacing(label, { toolOrder: (a, b) => compare(toolName(a), toolName(b)) });
}

function byWhole(a: JsonNode, b: JsonNode): number {
  return byCodeUnit(canonicalNode(a), canonicalNode(b));
}

/** Each is written once. */
function sortedByWhole(items: readonly JsonNode[]): readonly JsonNode[] {
  return items
    .map((item) => ({ item, text: canonicalNode(item) }))
    .toSorted((a, b) => byCodeUnit(a.text, b.text))
    .map(({ item }) => item);
}

function isScalar(node: JsonNode): boolean {
  return node.kind !== 'array' && node.kind !== 'object';
}

function scalarText(node: JsonNode): string {
  return node.kind === 'string' ? node.value : canonicalNode(node);
}

function byScalarText(a: JsonNode, b: JsonNode): number {
  return byCodeUnit(scalarText(a), scalarText(b));
}

/** Sorts the arrays below `messages`, `tools`, … and leaves those lists themselves alone. */
function innerArrays(fields: ObjectNode, sort: (items: readonly JsonNode[]) => readonly JsonNode[]): ObjectNode {
  const sorted = (node: JsonNode): JsonNode =>
    rewrite(node, (inner) => (inner.kind === 'array' ? { ...inner, items: sort(inner.items) } : inner));
  const members = fields.members.map(({ key, value }) => ({
    key,
    value: value.kind === 'array' ? { ...value, items: value.items.map(sorted) } : sorted(value),
  }));
  return { ...fields, members };
}

function everyArray(fields: ObjectNode): ObjectNode {
  return rewriteFields(fields, (node) =>
    node.kind === 'array' ? { ...node, items: sortedByWhole(node.items) } : node,
  );
}

function scalarsSorted(items: readonly JsonNode[]): readonly JsonNode[] {
  return items.every(isScalar) ? items.toSorted(byScalarText) : items;
}

function scalarsInOrder(node: JsonNode): JsonNode {
  return node.kind === 'array' ? { ...node, items: scalarsSorted(node.items) } : node;
}

function requiredInOrder(node: JsonNode): JsonNode {
  return mapMember(node, 'required', scalarsInOrder);
}

const roleOrder = ['system', 'developer', 'user', 'assistant', 'tool'];

function byRole(a: JsonNode, b: JsonNode): number {
  return roleRank(a) - roleRank(b);
}

function roleRank(node: JsonNode): number {
  return roleOrder.indexOf(role(node));
}

function isNotSystem(node: JsonNode): number {
  return role(node) === 'system' ? 0 : 1;
}

function messages(label: string, change: (items: readonly JsonNode[]) => readonly JsonNode[]): Variant {
  return reshaping(label, (fields) => mapList(fields, 'messages', change));
}

function contentText(item: JsonNode): string {
  const content = valueOf(item, 'content');
  if (content === undefined) return '';
  return content.kind === 'string' ? content.value : canonicalNode(content);
}

function isPlain(item: JsonNode): boolean {
  return textOf(item, 'content') !== undefined && valueOf(item, 'name') === undefined;
}

function merged(
  separator: string,
  isMeant: (item: JsonNode) => boolean = () => true,
): (items: readonly JsonNode[]) => readonly JsonNode[] {
  return (items) => {
    const joined: JsonNode[] = [];
    for (const item of items) {
      const last = joined.at(-1);
      if (last === undefined || role(last) !== role(item) || ![last, item].every(isMeant)) joined.push(item);
      else joined.splice(-1, 1, message(role(item), contentText(last) + separator + contentText(item)));
    }
    return joined;
  };
}

function message(name: string, content: string): JsonNode {
  return objectNode([
    { key: 'role', value: stringNode(name) },
    { key: 'content', value: stringNode(content) },
  ]);
}

/** Rules of hosts that order a list by something else than the recipe says. */
export const listOrders: readonly Rule[] = [
  rule('arrays-sorted', 'arrays are sorted, although their order matters', BREAKS.schemas, [
    reshaping('of scalars, inside schemas and blocks', (fields) => innerArrays(fields, scalarsSorted)),
    reshaping('inside schemas and blocks', (fields) => innerArrays(fields, sortedByWhole)),
    reshaping('inside schemas and blocks, as a bare sort() does', (fields) =>
      innerArrays(fields, (items) => items.toSorted(byScalarText)),
    ),
    reshaping('all of them', everyArray),
    reshaping('of scalars, inside the response format alone', (fields) =>
      mapFormat(fields, (format) => rewriteFields(format, scalarsInOrder)),
    ),
    reshaping('the required names of schemas alone', (fields) => rewriteFields(fields, requiredInOrder)),
    reshaping('the required names of tools alone', (fields) =>
      mapItems(fields, 'tools', (tool) => rewriteFields(tool, requiredInOrder)),
    ),
    reshaping('the required names of the response format alone', (fields) =>
      mapFormat(fields, (format) => rewriteFields(format, requiredInOrder)),
    ),
  ]),
  rule('messages-reordered', 'messages are put into another order', BREAKS.messageOrder, [
    messages('last one first', (items) => items.toReversed()),
    messages('sorted by their text', sortedByWhole),
    messages('sorted by role', (items) => items.toSorted(byRole)),
    messages('sorted by the name of the role', (items) => items.toSorted((a, b) => byCodeUnit(role(a), role(b)))),
    messages('system first', (items) => items.toSorted((a, b) => isNotSystem(a) - isNotSystem(b))),
  ]),
  rule('messages-merged', 'neighbouring messages of one role are joined to one', BREAKS.messageOrder, [
    messages('with a line feed', merged('\n')),
    messages('with an empty line', merged('\n\n')),
    messages('with nothing', merged('')),
    messages('with a line feed, where both are texts without a name', merged('\n', isPlain)),
  ]),
  rule('tools-unsorted', 'tools are not sorted by name', BREAKS.tools, [
    replacing("they keep the request's order", { toolOrder: undefined }),
    toolsBy('they are sorted downwards', (a, b) => byCodeUnit(b, a)),
    toolsBy('they are sorted by the length of their names first', (a, b) => a.length - b.length || byCodeUnit(a, b)),
    replacing('they are sorted by their whole text', { toolOrder: byWhole }),
  ]),
  rule('tools-locale-sorted', "tools are sorted by a language's rules", BREAKS.tools, [
    toolsBy('localeCompare', collated()),
    toolsBy('localeCompare with numbers by value', collated({ numeric: true })),
    toolsBy('localeCompare without case and accents', collated({ sensitivity: 'base' })),
    toolsBy('localeCompare, upper case first', collated({ caseFirst: 'upper' })),
    toolsBy('in lower case', (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase())),
    toolsBy('in upper case', (a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase())),
  ]),
];

function role(node: JsonNode): string {
  return textOf(node, 'role') ?? '';
}

const keysByCodePoint = replacing('', {
  memberOrder: (members) => withoutRepeats(members).toSorted((a, b) => byCodePoint(a.key, b.key)),
});
const toolsByCodePoint = toolsBy('', byCodePoint);

/** Names are ordered by code point (or UTF-8 byte, which is the same order) instead of UTF-16 code unit. */
export const codePointOrders: readonly Rule[] = [
  rule('code-point-order', 'names are ordered by code point instead of UTF-16 code unit', BREAKS.names, [
    keysByCodePoint,
  ]),
  rule('code-point-order', 'tools are ordered by code point instead of UTF-16 code unit', BREAKS.tools, [
    toolsByCodePoint,
  ]),
  rule(
    'code-point-order',
    'names of members and of tools are ordered by code point instead of UTF-16 code unit',
    BREAKS.namesAndTools,
    [{ label: '', apply: (steps) => toolsByCodePoint.apply(keysByCodePoint.apply(steps)) }],
  ),
];
