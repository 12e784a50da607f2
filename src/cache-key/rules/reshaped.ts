import {
  arrayNode,
  type JsonNode,
  nullNode,
  objectNode,
  type ObjectNode,
  stringNode,
  textOf,
  valueOf,
  withMember,
  withoutMembers,
} from '../json-node.ts';
import { canonicalNode } from '../right-steps.ts';
import { mapContent, mapItems, mapList, mapMember, rewriteFields } from './fields.ts';
import { BREAKS, reshaping, rule, type Rule, type Variant } from './rule.ts';

type Change = (fields: ObjectNode) => ObjectNode;

/** Pairs of a name in the recipe and another, and what uses the other. */
const ROLES: readonly (readonly [label: string, names: Readonly<Record<string, string>>])[] = [
  ['assistant as model', { assistant: 'model' }],
  ['system as developer', { system: 'developer' }],
  ['developer as system', { developer: 'system' }],
  ['system as user', { system: 'user' }],
  ['tool as function', { tool: 'function' }],
  ['tool as user', { tool: 'user' }],
  ['assistant as model, system as user', { assistant: 'model', system: 'user' }],
  ['assistant as model, tool as function', { assistant: 'model', tool: 'function' }],
  ['user as human, assistant as ai', { user: 'human', assistant: 'ai' }],
];

function renamed(names: Readonly<Record<string, string>>): (role: JsonNode) => JsonNode {
  const all = new Map(Object.entries(names));
  return (role) => (role.kind === 'string' ? stringNode(all.get(role.value) ?? role.value) : role);
}

function inStrings(change: (text: string) => string): (node: JsonNode) => JsonNode {
  return (node) => (node.kind === 'string' ? stringNode(change(node.value)) : node);
}

function roles(label: string, change: (role: JsonNode) => JsonNode): Variant {
  return reshaping(label, (fields) => mapItems(fields, 'messages', (message) => mapMember(message, 'role', change)));
}

function messages(label: string, kept: (items: readonly JsonNode[]) => readonly JsonNode[]): Variant {
  return reshaping(label, (fields) => mapList(fields, 'messages', kept));
}

function without(role: string): Variant {
  return messages(`those with the role ${role}`, (items) => items.filter((item) => textOf(item, 'role') !== role));
}

function blocks(label: string, isKept: (type: string) => boolean): Variant {
  return reshaping(label, (fields) =>
    mapContent(fields, (content) =>
      content.kind === 'array'
        ? arrayNode(content.items.filter((block) => isKept(textOf(block, 'type') ?? '')))
        : content,
    ),
  );
}

/** A string of content, and the text of each block. */
function texts(label: string, change: (text: string) => string): Variant {
  const text = inStrings(change);
  return reshaping(label, (fields) =>
    mapContent(fields, (content) =>
      content.kind === 'array'
        ? arrayNode(content.items.map((block) => mapMember(block, 'text', text)))
        : text(content),
    ),
  );
}

/** Where hosts cut a text, in characters. */
const LENGTHS = [100, 128, 200, 256, 500, 512, 1000, 1024, 2000, 2048, 4000, 4096, 8000, 8192, 10_000, 16_384];

function tools(label: string, change: (tool: ObjectNode) => ObjectNode): Variant {
  return reshaping(label, (fields) => mapItems(fields, 'tools', change));
}

function toolNames(label: string, change: (text: string) => string): Variant {
  return tools(label, (tool) => mapMember(tool, 'name', inStrings(change)));
}

function wrapped(tool: ObjectNode): ObjectNode {
  return objectNode([
    { key: 'type', value: stringNode('function') },
    { key: 'function', value: tool },
  ]);
}

/** The member under another name, where it is there. */
function moved(from: string, to: string): Change {
  return (node) => objectNode(node.members.map(({ key, value }) => ({ key: key === from ? to : key, value })));
}

function byName(toolOf: (tool: JsonNode) => JsonNode): Change {
  return (fields) =>
    mapMember(fields, 'tools', (list) => {
      if (list.kind !== 'array') return list;
      const named = list.items.map((tool) => ({ key: textOf(tool, 'name') ?? '', value: toolOf(tool) }));
      return objectNode(named);
    });
}

const NAME = new Set(['name']);

function nameless(tool: JsonNode): JsonNode {
  return tool.kind === 'object' ? withoutMembers(tool, NAME) : tool;
}

function format(label: string, change: (format: ObjectNode) => JsonNode): Variant {
  return reshaping(label, (fields) =>
    mapMember(fields, 'responseFormat', (node) => (node.kind === 'object' ? change(node) : node)),
  );
}

function ofSchema(form: (schema: JsonNode) => JsonNode): (format: ObjectNode) => JsonNode {
  return (node) => {
    const schema = valueOf(node, 'schema');
    return schema === undefined ? node : form(schema);
  };
}

function jsonSchema(schema: JsonNode): JsonNode {
  const inner = objectNode([{ key: 'schema', value: schema }]);
  return withMember(objectNode([{ key: 'type', value: stringNode('json_schema') }]), 'json_schema', inner);
}

type Empty = 'list' | 'object' | 'text' | 'null' | 'zero' | 'false';

function isEmpty(node: JsonNode, kinds: ReadonlySet<Empty>): boolean {
  switch (node.kind) {
    case 'array':
      return kinds.has('list') && node.items.length === 0;
    case 'object':
      return kinds.has('object') && node.members.length === 0;
    case 'string':
      return kinds.has('text') && node.value === '';
    case 'number':
      return kinds.has('zero') && node.value === 0;
    case 'null':
      return kinds.has('null');
    case 'boolean':
      return kinds.has('false') && canonicalNode(node) === 'false';
  }
}

function emptyDropped(label: string, ...kinds: readonly Empty[]): Variant {
  const all = new Set(kinds);
  return reshaping(label, (fields) =>
    rewriteFields(fields, (node) =>
      node.kind === 'object' ? objectNode(node.members.filter(({ value }) => !isEmpty(value, all))) : node,
    ),
  );
}

function provider(label: string, change: (text: string) => string): Variant {
  return reshaping(label, (fields) => mapMember(fields, 'provider', inStrings(change)));
}

/** With another mistake the first alone is tried: all of them with all others would take too long. */
function likelyFirst(all: readonly Variant[]): readonly Variant[] {
  return all.map((variant, at) => (at === 0 ? variant : { ...variant, alone: true }));
}

function ruleOf(code: string, message: string, breaks: readonly string[], variants: readonly Variant[]): Rule {
  return rule(code, message, breaks, likelyFirst(variants));
}

/** Rules of hosts that hash what they send to a provider, or what they keep, instead of what was requested. */
export const reshapings: readonly Rule[] = [
  ruleOf('roles-renamed', 'roles of messages are hashed under other names', BREAKS.fields, [
    ...ROLES.map(([label, names]) => roles(label, renamed(names))),
    roles(
      'in upper case',
      inStrings((text) => text.toUpperCase()),
    ),
    roles(
      'with a capital',
      inStrings((text) => text.charAt(0).toUpperCase() + text.slice(1)),
    ),
  ]),
  ruleOf('messages-omitted', 'messages are left out of the key', BREAKS.fieldsAndMessageOrder, [
    messages('all but the first', (items) => items.slice(0, 1)),
    ...[2, 3, 4, 5, 10].map((count) => messages(`all but the last ${count}`, (items) => items.slice(-count))),
    messages('all but the first and the last', (items) =>
      items.length < 3 ? items : [...items.slice(0, 1), ...items.slice(-1)],
    ),
    messages('the last', (items) => items.slice(0, -1)),
    ...['assistant', 'tool', 'developer'].map(without),
    messages('those that equal the one before', (items) =>
      items.filter((item, at) => canonicalNode(item) !== canonicalNode(items[at - 1] ?? nullNode)),
    ),
    messages('all but those of the user', (items) => items.filter((item) => textOf(item, 'role') === 'user')),
  ]),
  ruleOf('blocks-omitted', "blocks of a message's content are left out of the key", BREAKS.contentShape, [
    blocks('of images', (type) => !/image/iu.test(type)),
    blocks('all but texts', (type) => type === 'text'),
    blocks('of tools', (type) => !/tool/iu.test(type)),
  ]),
  ruleOf('content-changed', "the text of a message's content is changed", BREAKS.contentShape, [
    texts('to lower case', (text) => text.toLowerCase()),
    texts('to upper case', (text) => text.toUpperCase()),
    texts('several empty lines as one', (text) => text.replaceAll(/\n{3,}/g, '\n\n')),
    ...LENGTHS.flatMap((length) => [
      texts(`cut after ${length} characters`, (text) => text.slice(0, length)),
      texts(`only its last ${length} characters`, (text) => text.slice(-length)),
    ]),
  ]),
  ruleOf('tools-reshaped', 'tools are hashed in the form of another API', BREAKS.nothing, [
    tools('as functions: {"type":"function","function":…}', wrapped),
    tools('parameters as input_schema', moved('parameters', 'input_schema')),
    tools('parameters as inputSchema', moved('parameters', 'inputSchema')),
    tools('as functions with a type', (tool) => withMember(tool, 'type', stringNode('function'))),
    reshaping(
      'as an object by name',
      byName((tool) => tool),
    ),
    reshaping('as an object by name, without names inside', byName(nameless)),
    reshaping('in function_declarations', (fields) =>
      mapMember(fields, 'tools', (list) =>
        list.kind === 'array' && list.items.length === 0
          ? list
          : arrayNode([objectNode([{ key: 'function_declarations', value: list }])]),
      ),
    ),
  ]),
  ruleOf('tool-names-changed', 'names of tools are changed', BREAKS.fields, [
    toolNames('to lower case', (text) => text.toLowerCase()),
    toolNames('to upper case', (text) => text.toUpperCase()),
    toolNames('without white space at their ends', (text) => text.trim()),
    toolNames('cut after 64 characters', (text) => text.slice(0, 64)),
  ]),
  ruleOf('response-format-reshaped', 'responseFormat is hashed in another form', BREAKS.nothing, [
    format(
      'as its schema alone',
      ofSchema((schema) => schema),
    ),
    format('as its type alone', (node) => valueOf(node, 'type') ?? node),
    format('as {"type":"json_schema","json_schema":…}', ofSchema(jsonSchema)),
  ]),
  ruleOf('empty-members-dropped', 'members whose value is empty are left out everywhere', BREAKS.absent, [
    emptyDropped('lists, objects, texts and null', 'list', 'object', 'text', 'null'),
    emptyDropped('lists, objects and texts', 'list', 'object', 'text'),
    emptyDropped('lists and objects', 'list', 'object'),
    emptyDropped('lists', 'list'),
    emptyDropped('objects', 'object'),
    emptyDropped('texts', 'text'),
    emptyDropped('texts and null', 'text', 'null'),
    emptyDropped('lists, objects, texts, null, 0 and false', 'list', 'object', 'text', 'null', 'zero', 'false'),
    emptyDropped('texts, null, 0 and false', 'text', 'null', 'zero', 'false'),
  ]),
  ruleOf('provider-case-folded', "the provider's id is changed in case", BREAKS.nothing, [
    provider('to upper case', (text) => text.toUpperCase()),
    provider('to lower case', (text) => text.toLowerCase()),
    provider('with a capital', (text) => text.charAt(0).toUpperCase() + text.slice(1)),
  ]),
];
