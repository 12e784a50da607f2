import { type Member, objectNode, type ObjectNode } from '../json-node.ts';
import { byCodeUnit, objectOrder, sortedMembers, withoutRepeats } from '../member-order.ts';
import type { Steps } from '../steps.ts';
import { collated } from './collated.ts';
import { mapFormat, mapItems } from './fields.ts';
import { BREAKS, replacing, rule, type Rule, type Variant } from './rule.ts';

type MemberOrder = Steps['memberOrder'];

const interfaceOrder = ['provider', 'model', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];
const toolsLast = [...interfaceOrder.filter((name) => name !== 'tools'), 'tools'];
const printedOrder = ['model', 'provider', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];

function inOrder(names: readonly string[]): (node: ObjectNode) => ObjectNode {
  const rank = (key: string): number => (names.includes(key) ? names.indexOf(key) : names.length);
  return (node) => objectNode(node.members.toSorted((a, b) => rank(a.key) - rank(b.key)));
}

function declaredInside(fields: ObjectNode): ObjectNode {
  const messages = mapItems(fields, 'messages', inOrder(['role', 'content', 'name', 'toolCallId']));
  const tools = mapItems(messages, 'tools', inOrder(['name', 'description', 'parameters']));
  return mapFormat(tools, inOrder(['type', 'schema']));
}

const arrangements: readonly (readonly [string, readonly ((fields: ObjectNode) => ObjectNode)[]])[] = [
  ["the request's", []],
  ["the interface's at the top, the request's below", [inOrder(interfaceOrder)]],
  ["the interface's", [inOrder(interfaceOrder), declaredInside]],
  // As hosts do that take the tools out, sort them and put them back.
  ["the interface's with the tools last at the top, the request's below", [inOrder(toolsLast)]],
  ["RFC 0041's printed one at the top, the request's below", [inOrder(printedOrder)]],
  ["RFC 0041's printed one at the top, the interface's below", [inOrder(printedOrder), declaredInside]],
];

function arranged(
  label: string,
  arrangement: readonly ((fields: ObjectNode) => ObjectNode)[],
  order: MemberOrder,
): Variant {
  return {
    label,
    apply: (steps) => ({ ...steps, reshape: [...steps.reshape, ...arrangement], memberOrder: order }),
  };
}

function sortedDownTo(levels: number, below: MemberOrder): MemberOrder {
  return (members, depth) => (depth < levels ? sortedMembers(members) : below(members, depth));
}

function onlyTopNames(): MemberOrder {
  let names: readonly string[] = [];
  return (members, depth) => {
    if (depth === 0) names = sortedMembers(members).map(({ key }) => key);
    return names.flatMap((name) => members.filter(({ key }) => key === name).slice(-1));
  };
}

/** Depth 0 is the recipe's object, 2 a message or a tool, 3 and more a tool's parameters. */
const shallowDepths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

function sortedBy(label: string, compare: (a: string, b: string) => number): Variant {
  return replacing(label, {
    memberOrder: (members) => withoutRepeats(members).toSorted((a, b) => compare(a.key, b.key)),
  });
}

/** Rules of hosts that do not sort the names of every object. */
export const objectOrders: readonly Rule[] = [
  rule(
    'key-insertion-order',
    'object names are not sorted but written in another order',
    BREAKS.namesEverywhere,
    arrangements.flatMap(([label, arrangement]) => [
      arranged(label, arrangement, withoutRepeats),
      arranged(`${label}, integer-like names first`, arrangement, objectOrder),
    ]),
  ),
  rule('shallow-sort', 'object names are sorted at the outer levels only', BREAKS.namesEverywhere, [
    ...shallowDepths.flatMap((levels) => [
      replacing(`down to level ${levels}`, { memberOrder: sortedDownTo(levels, withoutRepeats) }),
      replacing(`down to level ${levels}, integer-like names first below`, {
        memberOrder: sortedDownTo(levels, objectOrder),
      }),
      arranged(
        `down to level ${levels}, the interface's order below`,
        [declaredInside],
        sortedDownTo(levels, objectOrder),
      ),
    ]),
    {
      label: "by a list of the top level's names, which drops every other name below",
      apply: (steps) => ({ ...steps, memberOrder: onlyTopNames() }),
    },
  ]),
  rule(
    'names-sorted-otherwise',
    'object names are sorted, and not by their characters upwards',
    BREAKS.namesEverywhere,
    [
      sortedBy('downwards', (a, b) => byCodeUnit(b, a)),
      sortedBy('by their length first', (a, b) => a.length - b.length || byCodeUnit(a, b)),
      sortedBy('by their length first, the longest first', (a, b) => b.length - a.length || byCodeUnit(a, b)),
    ],
  ),
  rule('names-locale-sorted', "object names are sorted by a language's rules", BREAKS.names, [
    sortedBy('localeCompare', collated()),
    sortedBy('in lower case', (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase())),
    sortedBy('in upper case', (a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase())),
  ]),
  rule(
    'integer-keys-first',
    'sorted names are put back into a JavaScript object, which lists integer-like names first',
    BREAKS.names,
    [replacing('', { memberOrder: (members) => objectOrder(sortedMembers(members)) })],
  ),
  rule('proto-key-dropped', 'a member called __proto__ gets lost', BREAKS.names, [
    replacing('', { memberOrder: (members) => sortedMembers(members.filter(isNotProto)) }),
  ]),
];

function isNotProto({ key }: Member): boolean {
  return key !== '__proto__';
}
