import {
  arrayNode,
  type JsonNode,
  nullNode,
  numberNode,
  type ObjectNode,
  objectNode,
  stringNode,
  textOf,
  valueOf,
  withMember,
} from '../json-node.ts';
import { filled, mapFormat, mapItems, rewriteFields } from './fields.ts';
import { BREAKS, choices, reshaping, rule, type Rule, type Variant } from './rule.ts';

const scalars = ['temperature', 'topP', 'topK'];
const optionals = ['tools', ...scalars, 'responseFormat'];

function nulls(names: readonly string[]): readonly (readonly [string, JsonNode])[] {
  return names.map((name) => [name, nullNode]);
}

function nullInside(fields: ObjectNode): ObjectNode {
  const messages = mapItems(fields, 'messages', (message) => filled(message, nulls(['name', 'toolCallId'])));
  const tools = mapItems(messages, 'tools', (tool) => filled(tool, nulls(['description'])));
  return mapFormat(tools, (format) => filled(format, nulls(['schema'])));
}

const emptyTools = ['tools', arrayNode([])] as const;

const nullVariants: readonly Variant[] = [
  reshaping('every optional field, at the top', (fields) => filled(fields, nulls(optionals))),
  reshaping('every optional field, at every level', (fields) => nullInside(filled(fields, nulls(optionals)))),
  reshaping('every optional scalar and the format, with an empty list for tools', (fields) =>
    filled(fields, [emptyTools, ...nulls([...scalars, 'responseFormat'])]),
  ),
  reshaping('the optional members of messages and tools only', nullInside),
  reshaping('description of tools', (fields) =>
    mapItems(fields, 'tools', (tool) => filled(tool, nulls(['description']))),
  ),
  reshaping('schema of the format', (fields) => mapFormat(fields, (format) => filled(format, nulls(['schema'])))),
  ...choices(['name', 'toolCallId']).map((names) =>
    reshaping(`${names.join(', ')} of messages`, (fields) =>
      mapItems(fields, 'messages', (message) => filled(message, nulls(names))),
    ),
  ),
  ...choices(optionals, 4).map((names) => reshaping(names.join(', '), (fields) => filled(fields, nulls(names)))),
];

/** An absent optional is written as null. */
export const nullPlaceholders: Rule = rule(
  'null-placeholders',
  'absent optional fields are written as null instead of being left out',
  BREAKS.absent,
  nullVariants,
);

type Default = readonly [string, JsonNode];

const temperatures: readonly Default[] = [0, 0.5, 0.7, 1].map((value) => ['temperature', numberNode(value)]);
const otherDefaults: readonly Default[] = [
  ['topP', numberNode(1)],
  emptyTools,
  ['responseFormat', objectNode([{ key: 'type', value: stringNode('text') }])],
  ['topK', numberNode(0)],
];

function label(defaults: readonly Default[]): string {
  return defaults
    .map(([name, value]) => {
      if (value.kind === 'number') return `${name} ${value.raw}`;
      return value.kind === 'array' ? `${name} []` : `${name} {"type":"text"}`;
    })
    .join(', ');
}

const defaultChoices: readonly (readonly Default[])[] = [
  ...choices(otherDefaults),
  ...temperatures.flatMap((temperature) => [
    [temperature],
    ...choices(otherDefaults).map((some) => [temperature, ...some]),
  ]),
  ...[40, 1, -1].flatMap((topK): readonly (readonly Default[])[] => {
    const top: readonly Default[] = [['topK', numberNode(topK)]];
    const withP: readonly Default[] = [...top, ['topP', numberNode(1)]];
    return [top, withP, [...withP, ['temperature', numberNode(1)]]];
  }),
  ...[['topP'], ['topP', 'topK'], ['temperature', 'topP'], ['temperature', 'topP', 'topK']].map((names) =>
    zeros(names),
  ),
].toSorted((a, b) => a.length - b.length);

const GRID = {
  temperature: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1, 1.2, 1.5, 2],
  topP: [1, 0.9, 0.95, 0.99, 0.8, 0.7, 0.5],
  topK: [40, 50, 0, -1, 1, 10, 20, 32, 64, 100, 250],
} as const;

/** What hosts take for the length of an answer, which is no field of the recipe, under the names that it has in APIs. */
const LENGTHS = [256, 512, 1000, 1024, 2000, 2048, 4000, 4096, 8192, 16_384];
const LENGTH_NAMES = ['maxTokens', 'max_tokens', 'maxOutputTokens'];

function defaultOf(name: string, value: number): Default {
  return [name, numberNode(value)];
}

/** The usual values that stand in no choice above: each alone, temperature with topP, and both with the usual topK. */
const grid: readonly (readonly Default[])[] = [
  ...Object.entries(GRID).flatMap(([name, values]) => values.map((value) => [defaultOf(name, value)])),
  ...GRID.temperature.flatMap((temperature) =>
    GRID.topP.slice(0, 4).flatMap((topP) => {
      const both = [defaultOf('temperature', temperature), defaultOf('topP', topP)];
      return [both, ...GRID.topK.slice(0, 4).map((topK) => [...both, defaultOf('topK', topK)])];
    }),
  ),
];

const lengths: readonly (readonly Default[])[] = LENGTH_NAMES.flatMap((name) =>
  LENGTHS.flatMap((value) => {
    const length = defaultOf(name, value);
    return [[length], ...[0, 0.2, 0.7, 1].map((temperature) => [defaultOf('temperature', temperature), length])];
  }),
);

/** A default that is filled in where another member is there. */
function beside(member: string, [name, value]: Default): Variant {
  const change = (fields: ObjectNode): ObjectNode =>
    valueOf(fields, member) === undefined ? fields : filled(fields, [[name, value]]);
  return reshaping(`${label([[name, value]])} beside ${member}`, change);
}

/** Each value that stands in no earlier choice, and some beside another member, tried by themselves. */
const gridVariants: readonly Variant[] = (() => {
  const known = new Set(defaultChoices.map(label));
  const others = [...grid, ...lengths].filter((defaults) => !known.has(label(defaults)));
  const filling = others.map((defaults) => reshaping(label(defaults), (fields) => filled(fields, defaults)));
  const pairs = [beside('temperature', defaultOf('topP', 1)), beside('topP', defaultOf('temperature', 1))];
  return [...filling, ...pairs].map((variant) => ({ ...variant, alone: true }));
})();

/** What typed languages write for what nobody set: a number is 0, a text is empty. */
function zeros(names: readonly string[]): readonly Default[] {
  return names.map((name) => [name, numberNode(0)]);
}

function empty(names: readonly string[]): readonly Default[] {
  return names.map((name) => [name, stringNode('')]);
}

function emptyTexts(
  ofMessages: readonly string[],
  ofTools: readonly string[] = [],
): (fields: ObjectNode) => ObjectNode {
  return (fields) => {
    const messages = mapItems(fields, 'messages', (message) => filled(message, empty(ofMessages)));
    return mapItems(messages, 'tools', (tool) => filled(tool, empty(ofTools)));
  };
}

const [MESSAGE, TOOL] = [['name', 'toolCallId'], ['description']] as const;

const everyEmptyText = emptyTexts(MESSAGE, TOOL);

function everyZero(fields: ObjectNode, others: readonly Default[] = []): ObjectNode {
  return everyEmptyText(filled(fields, [...zeros(scalars), ...others]));
}

/** What SDKs make of a tool without parameters. */
const ofNoParameters: readonly (readonly [label: string, schema: ObjectNode])[] = [
  ['{"type":"object"}', objectNode([{ key: 'type', value: stringNode('object') }])],
  [
    '{"type":"object","properties":{}}',
    objectNode([
      { key: 'type', value: stringNode('object') },
      { key: 'properties', value: objectNode([]) },
    ]),
  ],
];

function isEmptyObject(value: JsonNode | undefined): boolean {
  return value?.kind === 'object' && value.members.length === 0;
}

const emptyVariants: readonly Variant[] = [
  ...ofNoParameters.map(([written, schema]) =>
    reshaping(`${written} for empty parameters of tools`, (fields) =>
      mapItems(fields, 'tools', (tool) =>
        isEmptyObject(valueOf(tool, 'parameters')) ? withMember(tool, 'parameters', schema) : tool,
      ),
    ),
  ),
  ...choices(MESSAGE).map((names) => reshaping(`an empty ${names.join(', ')} of messages`, emptyTexts(names))),
  reshaping('an empty description of tools', emptyTexts([], TOOL)),
  reshaping('an empty name, toolCallId, description', everyEmptyText),
  reshaping('0 and empty texts', (fields) => everyZero(fields)),
  reshaping('0 and empty texts, null for tools', (fields) => everyZero(fields, nulls(['tools']))),
  reshaping('0 and empty texts, null for tools and the format', (fields) =>
    everyZero(fields, nulls(['tools', 'responseFormat'])),
  ),
];

/** An absent optional is written with the value that it would have had. */
export const defaultsFilled: Rule = rule(
  'defaults-filled',
  'absent optional fields are written with a default value',
  BREAKS.absent,
  [
    ...defaultChoices.map((defaults) => reshaping(label(defaults), (fields) => filled(fields, defaults))),
    ...emptyVariants,
    ...gridVariants,
  ],
);

function droppedWhere(name: string, isDefault: (value: JsonNode) => boolean): (fields: ObjectNode) => ObjectNode {
  return (fields) => objectNode(fields.members.filter(({ key, value }) => key !== name || !isDefault(value)));
}

function isOne(value: JsonNode): boolean {
  return value.kind === 'number' && value.value === 1;
}

function isText(format: JsonNode): boolean {
  return textOf(format, 'type') === 'text';
}

function withoutNulls(fields: ObjectNode): ObjectNode {
  return rewriteFields(fields, (node) =>
    node.kind === 'object' ? objectNode(node.members.filter(({ value }) => value.kind !== 'null')) : node,
  );
}

function withoutEmpty(...names: readonly string[]): (fields: ObjectNode) => ObjectNode {
  const full = (node: ObjectNode): ObjectNode =>
    objectNode(node.members.filter(({ key }) => !names.includes(key) || textOf(node, key) !== ''));
  return (fields) => mapItems(mapItems(fields, 'messages', full), 'tools', full);
}

/** What a request gives is left out because it looks like nothing. */
export const droppings: readonly Rule[] = [
  rule('defaults-dropped', 'a value that equals a default is left out like an absent one', BREAKS.absent, [
    reshaping('temperature 1', droppedWhere('temperature', isOne)),
    reshaping('topP 1', droppedWhere('topP', isOne)),
    reshaping('temperature 1, topP 1', (fields) =>
      droppedWhere('topP', isOne)(droppedWhere('temperature', isOne)(fields)),
    ),
    reshaping('responseFormat {"type":"text"}', droppedWhere('responseFormat', isText)),
    reshaping('schema {} of the format', (fields) => mapFormat(fields, droppedWhere('schema', isEmptyObject))),
    reshaping('parameters {} of tools', (fields) =>
      mapItems(fields, 'tools', droppedWhere('parameters', isEmptyObject)),
    ),
  ]),
  rule('empty-texts-dropped', 'an empty text is left out like an absent one', BREAKS.absent, [
    reshaping('of messages and tools', withoutEmpty('name', 'toolCallId', 'description')),
    ...['name', 'toolCallId', 'description'].map((name) => reshaping(name, withoutEmpty(name))),
  ]),
  rule('nulls-dropped', 'members whose value is null are left out inside schemas and blocks', BREAKS.contentShape, [
    reshaping('', withoutNulls),
  ]),
];
