import type { Arbitrary } from 'fast-check';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { excludedFields } from './excluded-fields.ts';
import {
  longContent,
  nestedValue,
  type PartArbitraries,
  partArbitraries,
  schemaNaming,
  schemaWithLists,
  schemaWithNumber,
  scrubbable,
} from './generate-parts.ts';
import { PROVIDER } from './refusable.ts';
import { type Library, objectText, stringWith } from '../shared/generate-text.ts';

/** A way to draw requests that all hold one hazard of readings.md; `free` ones hold any mixture. */
interface Hazard {
  readonly name: string;
  readonly requests: Arbitrary<string>;
}

interface Drawn {
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly string[];
  readonly optional: readonly (readonly [string, string])[];
  /** 0 keeps the natural order of the members; others turn and rotate it. */
  readonly order: number;
}

function requestOf({ provider, model, messages, optional, order }: Drawn): string {
  const members: readonly (readonly [string, string])[] = [
    ['provider', JSON.stringify(provider)],
    ['model', model],
    ['messages', `[${messages.join(',')}]`],
    ...optional,
  ];
  const at = order % members.length;
  const rotated = [...members.slice(at), ...members.slice(0, at)];
  return objectText(order % 2 === 0 ? rotated : rotated.toReversed());
}

/** Half of the requests name the provider that any host knows: others may be refused. */
function providers(fc: Library): Arbitrary<string> {
  return fc.constantFrom(PROVIDER, PROVIDER, 'anthropic', 'google');
}

interface Parts {
  readonly provider?: Arbitrary<string>;
  readonly message?: Arbitrary<string>;
  readonly optional?: Readonly<Record<string, Arbitrary<string>>>;
}

/** Draws requests that are plain but for the given parts. */
function focused(fc: Library, { provider = providers(fc), message, optional = {} }: Parts): Arbitrary<string> {
  return fc
    .record({
      provider,
      model: fc.constant('"gpt-4"'),
      message: message ?? fc.constant(asContent('"hello"')),
      optional: fc.record(optional),
      order: fc.nat({ max: 9 }),
    })
    .map(({ message: only, optional: others, ...rest }) =>
      requestOf({ ...rest, messages: [only], optional: Object.entries(others) }),
    );
}

function asContent(literal: string): string {
  return `{"role":"user","content":${literal}}`;
}

/** A response format of this schema. */
function withFormat(schema: Arbitrary<string>): Parts {
  return { optional: { responseFormat: schema.map(asFormat) } };
}

function asFormat(schema: string): string {
  return `{"type":"json","schema":${schema}}`;
}

function schemaHazards(fc: Library): readonly Hazard[] {
  const inSchema = (name: string, schema: Arbitrary<string>): Hazard => ({
    name,
    requests: focused(fc, withFormat(schema)),
  });
  const numbers = (name: string, ...spellings: readonly string[]): Hazard =>
    inSchema(name, schemaWithNumber(fc, spellings));
  const naming = (name: string, ...names: readonly string[]): Hazard => inSchema(name, schemaNaming(fc, names));
  return [
    numbers('integral fraction', '1.0', '4.50', '100.0'),
    numbers('negative zero', '-0', '-0.0'),
    numbers('exponents', '1e-7', '1E+2', '1e21', '1e20', '0.000001', '-1.5E-9'),
    numbers('shortest round trip', '0.30000000000000004', '5e-324', '1.7976931348623157e308'),
    numbers('large integers', '9007199254740991', '-9007199254740991', '1.2345678901234568e20'),
    naming('code units against code points', '\ufb33', '\u{1f600}'),
    naming('integer-like names', '10', '9', 'a'),
    naming('__proto__', '__proto__', 'z'),
    naming('composed and decomposed', '\u00e9', 'e\u0301'),
  ];
}

function stringHazards(fc: Library): readonly Hazard[] {
  const holding = (...spellings: readonly string[]): Arbitrary<string> =>
    focused(fc, { message: stringWith(fc, spellings).map(asContent) });
  return [
    { name: 'escapes', requests: holding(String.raw`\u0000\/\"\\\u001F`, String.raw`\b\f\n\r\t`) },
    { name: 'line separators and HTML', requests: holding('\u2028<&>', '\\u2029</script>') },
    { name: 'beyond U+FFFF', requests: holding('\u{1f600}', String.raw`\ud83d\ude00`) },
    { name: 'long content', requests: focused(fc, { message: longContent(fc).map(asContent) }) },
  ];
}

const BLOCKS =
  '{"content":[{"type":"text","text":" a"},{"text":"","type":"text"}],"role":"user"},{"role":"assistant","content":[{"type":"text","text":"a"}]},' +
  '{"content":[{"citations":[{"title":"a"}],"text":"a","type":"text"}],"role":"assistant"},' +
  `{"role":"assistant","content":[{"id":"call_1","input":{},"name":"a","type":"tool_use"},{"thinking":"a","type":"thinking"}]},${scrubbable.map(asContent).join(',')}`;

function shapeHazards(fc: Library, { content }: PartArbitraries, recipe: RecipeName): readonly Hazard[] {
  const empty = fc.constantFrom('{"role":"user","content":""}', '{"role":"user","content":[]}');
  const extras = Object.entries(excludedFields(recipe)).map(([name, text]) => [name, fc.constant(text)] as const);
  const parts: readonly (readonly [name: string, parts: Parts])[] = [
    ['nesting', nestedParts(fc)],
    ['lists and empty values', { message: empty, ...withFormat(schemaWithLists(fc)) }],
    ['tools in clashing order', { optional: { tools: clashingTools(fc) } }],
    ['content shapes', { message: content.map((text) => `${BLOCKS},${asContent(text)}`) }],
    ['fields outside the recipe', { optional: Object.fromEntries(extras) }],
  ];
  return parts.map(([name, given]) => ({ name, requests: focused(fc, given) }));
}

/** What lies deep in the format, and in a tool. */
function nestedParts(fc: Library): Parts {
  const deep = nestedValue(fc).map((value) => `{"deep":${value}}`);
  const tools = deep.map((parameters) => `[{"name":"lookup","parameters":${parameters}}]`);
  return { optional: { ...withFormat(deep).optional, tools } };
}

function clashingTools(fc: Library): Arbitrary<string> {
  const tools = ['a', 'Z', 'getWeather', 'get_weather', 'e\u0301', 'f', '\ufb33', '\u{1f600}'].map(
    (name) => `{"name":"${name}","parameters":{"b":1,"a":{}}}`,
  );
  return fc.shuffledSubarray(tools, { minLength: tools.length }).map((list) => `[${list.join(',')}]`);
}

/** Messages that hosts rewrite for a provider: a late system message, and an assistant's. */
const CONVERSATION =
  '{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role":"system","content":"be brief"}';

/** A conversation with the provider that hosts rewrite most for. */
function rewrittenHazard(fc: Library): Hazard {
  const provider = fc.constant('anthropic');
  const message = fc.constant(CONVERSATION);
  return { name: 'another provider', requests: focused(fc, { provider, message }) };
}

/** Any mixture of parts. */
function free(fc: Library, parts: PartArbitraries, recipe: RecipeName): Arbitrary<string> {
  const { model, message, tools, temperature, topP, topK, schema } = parts;
  const format = fc.oneof(fc.constant('{"type":"text"}'), schema.map(asFormat));
  return fc
    .record({
      provider: providers(fc),
      model,
      messages: fc.array(message, { minLength: 1, maxLength: 4 }),
      optional: fc.record({ tools, temperature, topP, topK, responseFormat: format }, { requiredKeys: [] }),
      extras: fc.subarray(Object.entries(excludedFields(recipe)), { maxLength: 3 }),
      order: fc.nat({ max: 9 }),
    })
    .map(({ optional, extras, ...rest }) => requestOf({ ...rest, optional: [...Object.entries(optional), ...extras] }));
}

/** The hazards in the order in which a run goes round them: the first 21 requests hold each of them. */
function hazards(fc: Library, recipe: RecipeName): readonly Hazard[] {
  const parts = partArbitraries(fc);
  const { temperature, topP, topK } = parts;
  return [
    { name: 'sampling numbers', requests: focused(fc, { optional: { temperature, topP, topK } }) },
    ...schemaHazards(fc),
    ...stringHazards(fc),
    ...shapeHazards(fc, parts, recipe),
    rewrittenHazard(fc),
    { name: 'free', requests: free(fc, parts, recipe) },
  ];
}

/** One generated request, with what is needed to draw it again. */
export interface Generated {
  readonly name: string;
  readonly request: string;
  readonly hazard: Hazard;
  readonly seed: number;
}

/** After the first round every second request is free, so that hazards meet one another. */
function hazardOf(all: readonly Hazard[], index: number): Hazard | undefined {
  return index >= all.length && index % 2 === 0 ? all.at(-1) : all[index % all.length];
}

/** Spreads neighbouring seeds apart, so that two runs share no requests. */
const seedStride = 0x9e3779b1;

/**
 * Draws `vectors` valid requests; the same seed and recipe give the same ones, and fewer are the first of more. Each comes
 * from a seed of its own, so that one can be drawn again and shrunk without the others.
 */
export function* drawRequests(
  fc: Library,
  options: { readonly seed: number; readonly vectors: number; readonly recipe: RecipeName },
): Generator<Generated> {
  const all = hazards(fc, options.recipe);
  for (let index = 0; index < options.vectors; index += 1) {
    const hazard = hazardOf(all, index);
    const seed = (Math.imul(options.seed, seedStride) + index) | 0;
    const [request] = hazard === undefined ? [] : fc.sample(hazard.requests, { seed, numRuns: 1 });
    if (hazard !== undefined && request !== undefined) {
      yield { name: `generated ${index + 1}: ${hazard.name}`, request, hazard, seed };
    }
  }
}
