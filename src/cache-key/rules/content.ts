import {
  arrayNode,
  type ArrayNode,
  type JsonNode,
  type ObjectNode,
  objectNode,
  stringNode,
  textOf,
} from '../json-node.ts';
import { canonicalNode } from '../right-steps.ts';
import { mapContent, mapList, mapMember, rewriteFields } from './fields.ts';
import { BREAKS, reshaping, rule, type Rule, type Variant } from './rule.ts';
import { everyString } from './strings.ts';

function textOfBlock(node: JsonNode): string | undefined {
  return textOf(node, 'type') === 'text' ? textOf(node, 'text') : undefined;
}

function textBlock(text: string): ObjectNode {
  return objectNode([
    { key: 'type', value: stringNode('text') },
    { key: 'text', value: stringNode(text) },
  ]);
}

/** The texts of blocks that are all text, or undefined. */
function allTexts(content: JsonNode): readonly string[] | undefined {
  if (content.kind !== 'array') return undefined;
  const texts = content.items.map(textOfBlock);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function joined(separator: string): (content: JsonNode) => JsonNode {
  return (content) => {
    const texts = allTexts(content);
    return texts === undefined ? content : stringNode(texts.join(separator));
  };
}

function textsOnly(separator: string): (content: JsonNode) => JsonNode {
  return (content) =>
    content.kind === 'array'
      ? stringNode(content.items.flatMap((item) => textOfBlock(item) ?? []).join(separator))
      : content;
}

function asText(content: JsonNode, textOfNode: (node: JsonNode) => string): JsonNode {
  return content.kind === 'array' ? stringNode(textOfNode(content)) : content;
}

/** What JSON.stringify makes of a node. */
function asItCame(node: JsonNode): string {
  if (node.kind === 'array') return `[${node.items.map(asItCame).join()}]`;
  if (node.kind !== 'object') return canonicalNode(node);
  return `{${node.members.map(({ key, value }) => `${JSON.stringify(key)}:${asItCame(value)}`).join()}}`;
}

function singleUnwrapped(content: JsonNode): JsonNode {
  return content.kind === 'array' && content.items.length === 1 ? joined('')(content) : content;
}

function wrapped(content: JsonNode): JsonNode {
  return content.kind === 'string' ? arrayNode([textBlock(content.value)]) : content;
}

function merged(separator: string): (content: JsonNode) => JsonNode {
  return (content) => (content.kind === 'array' ? mergeNeighbours(content, separator) : content);
}

function mergeNeighbours(content: ArrayNode, separator: string): ArrayNode {
  const blocks: JsonNode[] = [];
  for (const block of content.items) {
    const text = textOfBlock(block);
    const last = blocks.at(-1);
    const before = last === undefined ? undefined : textOfBlock(last);
    if (text === undefined || before === undefined) blocks.push(block);
    else blocks.splice(-1, 1, textBlock(before + separator + text));
  }
  return arrayNode(blocks);
}

function inContent(label: string, change: (content: JsonNode) => JsonNode): Variant {
  return reshaping(label, (fields) => mapContent(fields, change));
}

const separators = [
  ['nothing', ''],
  ['a line feed', '\n'],
  ['an empty line', '\n\n'],
  ['a space', ' '],
] as const;

type Respell = (text: string) => string;

const trims: readonly (readonly [string, Respell])[] = [
  ['white space at both ends', (text) => text.trim()],
  ['white space at the end', (text) => text.trimEnd()],
  ['white space at the start', (text) => text.trimStart()],
  ['white space at both ends and runs of it inside', (text) => text.trim().replaceAll(/\s+/g, ' ')],
  ['runs of white space, nothing trimmed', (text) => text.replaceAll(/\s+/g, ' ')],
  ['runs of spaces, nothing trimmed', (text) => text.replaceAll(/ +/g, ' ')],
  ['carriage returns before line feeds', (text) => text.replaceAll('\r\n', '\n')],
];

function inStrings(change: Respell): (content: JsonNode) => JsonNode {
  return (content) => (content.kind === 'string' ? stringNode(change(content.value)) : content);
}

function inTexts(change: Respell): (content: JsonNode) => JsonNode {
  const string = inStrings(change);
  return (content) =>
    content.kind === 'array'
      ? arrayNode(content.items.map((block) => mapMember(block, 'text', string)))
      : string(content);
}

function inBlocks(change: Respell): (content: JsonNode) => JsonNode {
  const texts = inTexts(change);
  return (content) => (content.kind === 'array' ? texts(content) : content);
}

const blockText = new Set(['type', 'text']);

function bareBlock(block: JsonNode): JsonNode {
  return block.kind === 'object' ? objectNode(block.members.filter(({ key }) => blockText.has(key))) : block;
}

function bareBlocks(content: JsonNode): JsonNode {
  return content.kind === 'array' ? arrayNode(content.items.map(bareBlock)) : content;
}

function bareTexts(content: JsonNode): JsonNode {
  if (content.kind !== 'array') return content;
  return arrayNode(content.items.map((block) => (textOfBlock(block) === undefined ? block : bareBlock(block))));
}

function isEmptyMessage(message: JsonNode): boolean {
  return textOf(message, 'content') === '';
}

/** Rules of hosts that take a message's content for something else than it is. */
export const contents: readonly Rule[] = [
  rule('content-coalesced', "the shape of a message's content is changed", BREAKS.contentShape, [
    ...separators.flatMap(([name, separator]) => [
      inContent(`text blocks become one string, joined with ${name}`, joined(separator)),
      inContent(`text blocks, where there are any, become one string, joined with ${name}`, (content) =>
        content.kind === 'array' && content.items.length === 0 ? content : joined(separator)(content),
      ),
      inContent(`neighbouring text blocks become one, joined with ${name}`, merged(separator)),
      inContent(`only the text of text blocks is kept, joined with ${name}`, textsOnly(separator)),
    ]),
    inContent('a string becomes a text block', wrapped),
    inContent('blocks become their JSON text, names sorted', (content) => asText(content, canonicalNode)),
    inContent('blocks become their JSON text, names as they came', (content) => asText(content, asItCame)),
    inContent('a single text block becomes a string', singleUnwrapped),
    inContent('only type and text of blocks are kept', bareBlocks),
    inContent('only type and text of text blocks are kept', bareTexts),
    reshaping('a message with empty content is dropped', (fields) =>
      mapList(fields, 'messages', (items) => items.filter((message) => !isEmptyMessage(message))),
    ),
    inContent('a string becomes a text block and neighbouring text blocks one', (content) =>
      merged('')(wrapped(content)),
    ),
  ]),
  rule('content-trimmed', "a message's content loses white space", BREAKS.contentShape, [
    ...trims.map(([name, change]) => inContent(name, inTexts(change))),
    ...trims.map(([name, change]) => inContent(`${name}, of strings but not of blocks`, inStrings(change))),
    ...trims.map(([name, change]) => inContent(`${name}, of blocks but not of strings`, inBlocks(change))),
  ]),
  rule('content-trimmed', 'carriage returns, alone or before line feeds, become line feeds', BREAKS.contentAndStrings, [
    everyString('in every name and string', lineFeeds),
    reshaping('in every string but names', (fields) => rewriteFields(fields, inStrings(lineFeeds))),
    inContent("in a message's content", inTexts(lineFeeds)),
    inContent("in a message's content, of strings but not of blocks", inStrings(lineFeeds)),
  ]),
];

function lineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

function inModel(label: string, change: Respell): Variant {
  return reshaping(label, (fields) => mapMember(fields, 'model', inStrings(change)));
}

/** What hosts take for a date at the end of a model's id. */
const dates: readonly (readonly [which: string, date: RegExp])[] = [
  ['', /-\d{4}(?:-\d{2}-\d{2}|\d{4})$/],
  [', also one of four digits', /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$/],
  [', where it has hyphens', /-\d{4}-\d{2}-\d{2}$/],
];

/** Rules of hosts that normalise the model's id. */
export const models: readonly Rule[] = [
  rule('model-case-folded', "the model's id is changed in case", BREAKS.model, [
    inModel('to lower case', (text) => text.toLowerCase()),
    inModel('to lower case, and trimmed', (text) => text.trim().toLowerCase()),
    inModel('to upper case', (text) => text.toUpperCase()),
  ]),
  rule('model-normalised', "the model's id is rewritten", BREAKS.model, [
    inModel('it loses white space at its ends', (text) => text.trim()),
    inModel('it loses all white space', (text) => text.replaceAll(/\s+/g, '')),
    ...dates.map(([which, date]) => inModel(`it loses its date${which}`, (text) => text.replace(date, ''))),
    inModel('it loses "-latest"', (text) => text.replace(/-latest$/, '')),
    inModel('it loses the part up to a slash', (text) => text.slice(text.lastIndexOf('/') + 1)),
  ]),
];
