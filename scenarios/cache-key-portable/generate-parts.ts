import type { Arbitrary } from 'fast-check';
import {
  clashingNames,
  type Library,
  membersText,
  numberText,
  objectText,
  stringText,
  stringWith,
  valueText,
} from '../shared/generate-text.ts';

const MODELS = 'gpt-4|GPT-4|Gpt-4o|claude-3-5-sonnet-20241022|gpt-4-2024-08-06|org/model|a b|m\u00e9|me\u0301'.split(
  '|',
);
const TOOLS = 'a|b|Z|getWeather|get_weather|getweather|get_b|getB|tool10|tool2|x-y|xy'.split('|');
const LISTED = ['name', 'Zip', 'age', 'unit'];
const SORTED = LISTED.toSorted();
const TEMPERATURES = '0|-0.0|0.0|1|1.0|10E-1|0.7|7e-1|0.30000000000000004|1e-7|5e-324|2'.split('|');
const TOP_PS = '0|0.0|1|1.0|0.9|9e-1|0.1|0.95|1E-6'.split('|');
const TOP_KS = '0|-0|1|40|40.0|4e1|1E+2|9007199254740991|1e21|9.999999999999999e20'.split('|');

/** Texts as JSON literals that hosts scrub or collapse: what is another one each time, and runs of spaces. */
export const scrubbable: readonly string[] = [
  '"order 3f2b8c1e-9d4a-4c6b-8e1f-0a2b3c4d5e6f"',
  '"since 2024-08-06T12:34:56.789Z"',
  '"two  spaces"',
];

function content(fc: Library): Arbitrary<string> {
  const text = stringText(fc).map((literal) => `{"type":"text","text":${literal}}`);
  const padded = stringText(fc).map((literal) => `" ${literal.slice(1, -1)} \\n"`);
  const other = fc
    .tuple(
      membersText(fc, valueText(fc, 2), 3),
      fc.constantFrom('image', 'tool_use', 'thinking'),
      fc.constantFrom('', '"id":"b1",'),
    )
    .map(([input, type, id]) => `{${id}"input":${input},"type":"${type}"}`);
  const blocks = fc.array(fc.oneof(text, other), { maxLength: 3 }).map((items) => `[${items.join(',')}]`);
  return fc.oneof(stringText(fc), padded, blocks, fc.constantFrom(...scrubbable));
}

type Members = readonly (readonly [string, string])[];

/** An object of these members, in that order or turned round; those without a value are left out. */
function turnable(members: readonly (readonly [string, string | undefined])[], isTurned: boolean): string {
  const given = members.filter((member): member is Members[number] => member[1] !== undefined);
  return objectText(isTurned ? given.toReversed() : given);
}

function message(fc: Library): Arbitrary<string> {
  return fc
    .record({
      role: fc.constantFrom('user', 'system', 'assistant', 'tool'),
      content: content(fc),
      name: fc.option(fc.constantFrom('"ann"', '"Bob"'), { nil: undefined }),
      toolCallId: fc.option(fc.constantFrom('"c1"', '"call_2"'), { nil: undefined }),
      turned: fc.boolean(),
    })
    .map(({ role, turned, ...rest }) => turnable(Object.entries({ role: `"${role}"`, ...rest }), turned));
}

function tools(fc: Library): Arbitrary<string> {
  const tool = fc.record({
    name: fc.constantFrom(...TOOLS),
    description: fc.option(stringText(fc), { nil: undefined }),
    parameters: membersText(fc, valueText(fc, 2), 4),
    turned: fc.boolean(),
  });
  return fc.uniqueArray(tool, { selector: ({ name }) => name, minLength: 1, maxLength: 5 }).map((list) => {
    const texts = list.map(({ name, parameters, description, turned }) =>
      turnable(Object.entries({ name: `"${name}"`, parameters, description }), turned),
    );
    return `[${texts.join(',')}]`;
  });
}

/** Ways to draw the parts of a valid request, each as JSON text. What a conformant host may refuse is told by `mayBeRefused`. */
export type PartArbitraries = ReturnType<typeof partArbitraries>;

/** The ordinary ways to draw each part. */
export function partArbitraries(fc: Library) {
  return {
    model: fc.constantFrom(...MODELS).map((id) => JSON.stringify(id)),
    message: message(fc),
    content: content(fc),
    tools: tools(fc),
    temperature: fc.constantFrom(...TEMPERATURES),
    topP: fc.constantFrom(...TOP_PS),
    topK: fc.constantFrom(...TOP_KS),
    schema: membersText(fc, valueText(fc, 3), 5),
  };
}

/** Content of some tens of kilobytes. */
export function longContent(fc: Library): Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 10_000, max: 60_000 }), stringWith(fc, ['x', '\u00e9', '\u{1f600}', String.raw`\n`]))
    .map(([length, literal]) => {
      const piece = literal.slice(1, -1);
      return `"${piece.repeat(Math.ceil(length / piece.length))}"`;
    });
}

/** A value nested up to 30 levels, which leaves a request within 40. */
export function nestedValue(fc: Library): Arbitrary<string> {
  return fc
    .tuple(
      fc.array(fc.constantFrom('[', '{"a":', '{"10":1,"9":', '{"b":2,"a":'), { minLength: 12, maxLength: 30 }),
      numberText(fc),
    )
    .map(([opens, leaf]) => {
      const closes = opens.toReversed().map((open) => (open === '[' ? ']' : '}'));
      return opens.join('') + leaf + closes.join('');
    });
}

/** An object text whose names are those given and perhaps more, in an order that was drawn. */
export function schemaNaming(fc: Library, names: readonly string[]): Arbitrary<string> {
  return fc
    .tuple(
      fc.shuffledSubarray([...names], { minLength: names.length }),
      fc.subarray([...clashingNames], { maxLength: 3 }),
    )
    .map(([needed, more]) => objectText([...needed, ...more].map((name, index) => [name, String(index)])));
}

/** A schema with values that are empty, and with lists in an order that no host comes to by sorting them. */
export function schemaWithLists(fc: Library): Arbitrary<string> {
  return fc.shuffledSubarray(LISTED, { minLength: LISTED.length }).map((names) => {
    const list = names.every((name, at) => name === SORTED[at]) ? names.toReversed() : names;
    const properties = list.map((name) => `"${name}":{"enum":${JSON.stringify(list)}}`).join(',');
    return `{"":{},"a":[],"b":"","c":null,"properties":{${properties}},"required":${JSON.stringify(list)}}`;
  });
}

/** A schema that holds one of these number spellings. */
export function schemaWithNumber(fc: Library, spellings: readonly string[]): Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...spellings), valueText(fc, 1))
    .map(([number, rest]) => `{"rest":${rest},"const":${number}}`);
}
