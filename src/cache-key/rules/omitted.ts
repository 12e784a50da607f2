import {
  type JsonNode,
  objectNode,
  type ObjectNode,
  stringNode,
  textOf,
  valueOf,
  withMember,
  withoutMembers,
} from '../json-node.ts';
import { mapFormat, mapItems, mapList, mapMember } from './fields.ts';
import { BREAKS, choices, reshaping, rule, type Rule } from './rule.ts';

function without(...names: readonly string[]): (fields: ObjectNode) => ObjectNode {
  const dropped = new Set(names);
  return (fields) => withoutMembers(fields, dropped);
}

function isZero(node: JsonNode): boolean {
  return node.kind === 'number' && node.value === 0;
}

const sampling = ['temperature', 'topP', 'topK'];

function withoutZeros(names: readonly string[]): (fields: ObjectNode) => ObjectNode {
  return (fields) => objectNode(fields.members.filter(({ key, value }) => !names.includes(key) || !isZero(value)));
}

/** Rules of hosts that forget a part of the request. */
export const omissions: readonly Rule[] = [
  rule('sampling-omitted', 'sampling parameters are left out of the key', BREAKS.fields, [
    reshaping('all of them', without(...sampling)),
    ...choices(sampling, 2).map((names) => reshaping(names.join(', '), without(...names))),
    reshaping('where their value is 0', withoutZeros(sampling)),
    ...choices(sampling, 2).map((names) => reshaping(`${names.join(', ')} where 0`, withoutZeros(names))),
  ]),
  rule('tools-omitted', 'tools are left out of the key', BREAKS.fields, [
    reshaping('entirely', without('tools')),
    reshaping('their parameters', (fields) => mapItems(fields, 'tools', without('parameters'))),
    reshaping('their descriptions', (fields) => mapItems(fields, 'tools', without('description'))),
    reshaping('all but their names', (fields) => mapItems(fields, 'tools', without('description', 'parameters'))),
    reshaping('all but their names, as texts', (fields) =>
      mapList(fields, 'tools', (items) => items.map((item) => valueOf(item, 'name') ?? item)),
    ),
  ]),
  rule('response-format-omitted', 'responseFormat is left out of the key', BREAKS.fields, [
    reshaping('entirely', without('responseFormat')),
    reshaping('its schema', (fields) => mapFormat(fields, without('schema'))),
    reshaping('its type', (fields) => mapFormat(fields, without('type'))),
  ]),
  rule('last-message-only', 'only the last message enters the key', BREAKS.fieldsAndMessageOrder, [
    reshaping('whatever its role', (fields) => mapList(fields, 'messages', (items) => items.slice(-1))),
    reshaping('of the user', (fields) =>
      mapList(fields, 'messages', (items) => items.filter(hasRole('user')).slice(-1)),
    ),
    reshaping('as an object', (fields) => mapMember(fields, 'messages', (list) => lastOf(list) ?? list)),
  ]),
  rule('system-ignored', 'messages with the role system are left out of the key', BREAKS.fields, [
    reshaping('', (fields) => mapList(fields, 'messages', (items) => items.filter((item) => !hasRole('system')(item)))),
  ]),
  rule(
    'message-members-omitted',
    'name or toolCallId of a message is left out of the key',
    BREAKS.fields,
    choices(['name', 'toolCallId', 'role']).map((names) =>
      reshaping(names.join(', '), (fields) => mapItems(fields, 'messages', without(...names))),
    ),
  ),
  rule('provider-omitted', 'the provider is left out of the key', BREAKS.fields, [
    reshaping('', without('provider')),
    reshaping('an empty text stands for it', (fields) => withMember(fields, 'provider', stringNode(''))),
    ...['/', ':', '-', ''].map((separator) =>
      reshaping(`it stands before the model instead, with ${JSON.stringify(separator)}`, joinedToModel(separator)),
    ),
  ]),
  rule('model-omitted', 'the model is left out of the key', BREAKS.fields, [reshaping('', without('model'))]),
];

function joinedToModel(separator: string): (fields: ObjectNode) => ObjectNode {
  return (fields) => {
    const model = `${textOf(fields, 'provider') ?? ''}${separator}${textOf(fields, 'model') ?? ''}`;
    return withMember(without('provider')(fields), 'model', stringNode(model));
  };
}

function lastOf(list: JsonNode): JsonNode | undefined {
  return list.kind === 'array' ? list.items.at(-1) : undefined;
}

function hasRole(role: string): (item: JsonNode) => boolean {
  return (item) => textOf(item, 'role') === role;
}
