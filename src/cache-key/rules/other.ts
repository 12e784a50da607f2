import { hash } from 'node:crypto';
import { objectNode, type ObjectNode, stringNode, valueOf, withoutMembers } from '../json-node.ts';
import { mapItems, mapList } from './fields.ts';
import { BREAKS, choices, reshaping, rule, type Hints, type Rule, type Variant } from './rule.ts';

/** Mistakes without a digest of their own: two answers to one request show them. */
export const pairRules: readonly Rule[] = [
  rule('tenant-in-key', 'the tenant enters the key', BREAKS.tenancy, []),
  rule('request-id-in-key', 'a request or trace id enters the key', BREAKS.transport, []),
  rule('salted', 'the same request gets different keys', BREAKS.sameKeys, []),
];

/** A mistake that no steps describe: they begin with a request that was read. */
export const rawBody: Rule = rule(
  'raw-body',
  'the body is hashed as it came',
  [
    'cache-key.canonical-tool-schema',
    'cache-key.excludes-non-recipe-fields',
    'cache-key.jcs-key-order',
    'cache-key.jcs-numbers',
    'cache-key.jcs-strings',
    'cache-key.omits-absent',
    'cache-key.sorts-tools',
  ],
  [],
);

/** The key that a host with this mistake gives for a request's text. */
export function rawBodyKey(requestText: string): string {
  return hash('sha256', requestText, 'hex');
}

/** More names than this are tried one by one and all together only: the choices among them would be too many. */
const mostNamesToCombine = 14;

/** Of up to so many names every choice is tried, of more those of three and those that leave out two. */
const mostNamesToChoose = 7;

function allBut(names: readonly string[], left: readonly string[]): Variant {
  return { ...including(names.filter((name) => !left.includes(name))), alone: true };
}

function including(names: readonly string[]): Variant {
  const taken = new Set(names);
  return {
    label: names.join(', '),
    apply: (steps) => ({ ...steps, extra: (name) => steps.extra(name) || taken.has(name) }),
  };
}

function variants({ extraNames }: Hints): readonly Variant[] {
  if (extraNames.length === 0) return [];
  const { length } = extraNames;
  const atMost = length > mostNamesToCombine ? 1 : length > mostNamesToChoose ? 3 : length;
  const few = choices(extraNames, atMost).map(including);
  const most = atMost < 3 || atMost === length ? [] : choices(extraNames, 2).map((left) => allBut(extraNames, left));
  return [
    ...few,
    ...most,
    { label: 'every member of the request', apply: (steps) => ({ ...steps, extra: () => true }) },
  ];
}

/** A field outside the closed set enters the key; the label names which. */
export const extraFieldIncluded: Rule = {
  code: 'extra-field-included',
  message: 'fields outside the recipe enter the key',
  breaks: ['cache-key.excludes-non-recipe-fields'],
  variants,
};

/** What single APIs call the recipe's fields. */
const OTHER_NAMES = [
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['response_format', 'responseFormat'],
  ['functions', 'tools'],
] as const;

function reading(names: readonly (typeof OTHER_NAMES)[number][]): Variant {
  const own = new Map<string, string>(names);
  const renamed = (fields: ObjectNode): ObjectNode => {
    const given = new Set(fields.members.map(({ key }) => key));
    return objectNode(
      fields.members.flatMap(({ key, value }) => {
        const name = own.get(key);
        if (name === undefined) return [{ key, value }];
        return given.has(name) ? [] : [{ key: name, value }];
      }),
    );
  };
  return taking([...own.keys()], `${[...own.keys()].join(', ')} where the recipe's own is absent`, renamed);
}

function asFirstMessage(name: string): Variant {
  return taking([name], `${name} as the first message`, (fields) => {
    const content = valueOf(fields, name);
    const others = withoutMembers(fields, new Set([name]));
    if (content === undefined) return others;
    const message = objectNode([
      { key: 'content', value: content },
      { key: 'role', value: stringNode('system') },
    ]);
    return mapList(others, 'messages', (items) => [message, ...items]);
  });
}

/** A variant that lets fields outside the recipe through, and changes what comes of it. */
function taking(names: readonly string[], label: string, change: (fields: ObjectNode) => ObjectNode): Variant {
  const { apply } = including(names);
  return {
    label,
    apply: (steps) => ({ ...apply(steps), reshape: [...steps.reshape, change] }),
  };
}

/** A field is taken from where another API has it. */
export const otherNamesRead: Rule = rule(
  'other-name-read',
  'what another API calls a field of the recipe is taken for that field',
  ['cache-key.excludes-non-recipe-fields'],
  [...choices(OTHER_NAMES).map(reading), ...['system', 'instructions'].map(asFirstMessage)],
);

const SNAKE = new Map(['topP', 'topK', 'responseFormat', 'toolCallId'].map((name) => [name, snakeOf(name)]));

function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function inSnakeCase(node: ObjectNode): ObjectNode {
  return objectNode(node.members.map(({ key, value }) => ({ key: SNAKE.get(key) ?? key, value })));
}

function messagesInSnakeCase(fields: ObjectNode): ObjectNode {
  return mapItems(fields, 'messages', inSnakeCase);
}

/** Members of the recipe under the names that they have in a language, or a library, of the host's. */
export const namesInSnakeCase: Rule = rule(
  'snake-case-names',
  'members of the recipe are hashed under names in snake case',
  BREAKS.nothing,
  [
    reshaping('everywhere', (fields) => inSnakeCase(messagesInSnakeCase(fields))),
    reshaping('at the top', inSnakeCase),
    reshaping('in messages', messagesInSnakeCase),
  ],
);
