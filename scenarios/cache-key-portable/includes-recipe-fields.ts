import { diagnoseAnswers, rightKeyOf } from '../../src/cache-key/index.ts';
import { phase4 } from '../../src/contract/gates.ts';
import { fail, idsOf, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import {
  type Answers,
  diagnosisOf,
  keyAnswers,
  keyFor,
  keyOf,
  leftByGap,
  looksLikeKey,
  OWNERS,
  undecidedBy,
  withoutKey,
} from './answers.ts';
import { isUnobserved, type RecordedKey, shownAnswer } from './observation.ts';
import { isRefusal, refusalReasons } from './refusable.ts';
import { control, conversationOf, type KeyRequest, MANY, probe, requestText, type RequestParts } from './requests.ts';
import { keyScenario, sending } from './send.ts';
import { wrong as naming } from './diagnoses.ts';
import { sharedByAll } from './shared-keys.ts';

const ID = 'cache-key.includes-recipe-fields';

const WHOLE = 'every field';
const WHOLE_AGAIN = 'every field again';

const parts: RequestParts = {
  messages:
    '[{"role":"system","content":"be brief"},{"role":"user","content":"hello","name":"ann"},{"role":"tool","content":"x","toolCallId":"c1"}]',
  tools: '[{"name":"lookup","description":"d","parameters":{"type":"object","properties":{"q":{"type":"string"}}}}]',
  temperature: '0.5',
  topP: '0.9',
  topK: '40',
  responseFormat: '{"type":"json","schema":{"type":"object"}}',
};

function changed(name: 'messages' | 'tools', from: string, to: string): RequestParts {
  return { [name]: (parts[name] ?? '').replace(from, to) };
}

/** What a schema may hold beside what it demands, which hosts take out before they send it to a provider. */
const IN_SCHEMAS = [
  '"title":"t"',
  '"description":"d"',
  '"additionalProperties":false',
  '"$schema":"https://json-schema.org/draft/2020-12/schema"',
  '"$defs":{"a":{"type":"string"}}',
  '"$comment":"c"',
  '"examples":[{}]',
  '"default":{}',
  '"format":"date"',
  '"minimum":1',
  '"pattern":"a"',
  '"anyOf":[{}]',
];

/** One change a field; RFC 0150 adds fields of its own. */
const changes: readonly (readonly [string, RequestParts])[] = [
  ['provider', { provider: '"anthropic"' }],
  ['model', { model: '"gpt-4o"' }],
  ['the first message', changed('messages', 'be brief', 'be long')],
  ['the last message', changed('messages', '"x"', '"y"')],
  ['messages[].role', changed('messages', '"role":"user"', '"role":"assistant"')],
  ['messages[].name', changed('messages', '"ann"', '"bob"')],
  ['the case of messages[].name', changed('messages', '"ann"', '"Ann"')],
  ['messages[].name of a tool', changed('messages', '"role":"tool"', '"name":"n","role":"tool"')],
  ['the case of messages[].toolCallId', changed('messages', '"c1"', '"C1"')],
  ['messages[].toolCallId', changed('messages', '"c1"', '"c2"')],
  ['tools[].name', changed('tools', 'lookup', 'search')],
  ['the case of tools[].name', changed('tools', 'lookup', 'LookUp')],
  ['a space after tools[].name', changed('tools', 'lookup', 'lookup ')],
  ['tools[].description', changed('tools', '"d"', '"e"')],
  ['the case of tools[].description', changed('tools', '"d"', '"D"')],
  ['tools[].parameters', changed('tools', '"string"', '"number"')],
  ['temperature', { temperature: '0.6' }],
  ['topP', { topP: '0.8' }],
  ['topK', { topK: '41' }],
  ['responseFormat.type', { responseFormat: '{"type":"tool_call","schema":{"type":"object"}}' }],
  ['responseFormat.schema', { responseFormat: '{"type":"json","schema":{"type":"array"}}' }],
  ...IN_SCHEMAS.map(
    (more) =>
      [`${more} in the schema`, { responseFormat: `{"type":"json","schema":{"type":"object",${more}}}` }] as const,
  ),
];

/** Ids that hosts take for that of another provider whose models these are, too. A host may know none of them. */
const PROVIDERS = ['azure', 'azure-openai', 'vertex', 'google', 'bedrock', 'openrouter'];

const laterChanges: readonly (readonly [string, RequestParts])[] = [
  ['maxOutputTokens', { maxOutputTokens: '5' }],
  ['seed', { seed: '7' }],
  ['stop', { stop: '["x"]' }],
];

/** Fields whose value 0 a host may take for an absent one. */
const zeroable = ['temperature', 'topP', 'topK'];

/** Formats of a response that a host may take for its default. */
const formats = ['json', 'tool_call'];

const OF_TEXT = 'responseFormat text without a schema';
const TEXT_WITH_SCHEMA = '{"type":"text","schema":{"type":"object"}}';

function manyTools(): string {
  const tools = Array.from({ length: MANY }, (_, index) => ({
    description: `tool ${index + 1}`,
    name: `tool_${MANY + index}`,
    parameters: {},
  }));
  return JSON.stringify(tools);
}

/** A long list of which a host may look at the first or the last ones alone, and the same with one item changed. A host may take fewer. */
function ofLongList(list: 'messages' | 'tools', one: string, text: string): readonly KeyRequest[] {
  const many = `many ${list}`;
  const of = (name: string, given: string): KeyRequest => ({
    ...probe(name, requestText({ ...parts, [list]: given }), name === many ? undefined : many),
    mayRefuse: true,
  });
  const others = [1, MANY / 2, MANY].map((place) =>
    of(`${one} ${place} of ${MANY}`, text.replace(`"${one} ${place}"`, `"another ${one}"`)),
  );
  return [of(many, text), ...others];
}

/** How long a text has to be for hosts to cut it, and where it stands. */
const LONG_TEXTS: readonly (readonly [name: string, list: 'messages' | 'tools', text: string, length: number])[] = [
  ['messages[].name', 'messages', 'ann', 64],
  ['messages[].toolCallId', 'messages', 'c1', 64],
  ['tools[].name', 'tools', 'lookup', 128],
  ['tools[].description', 'tools', 'd', 4096],
];

/** A text that is longer than some hosts look at it, and the same with another end. A host may refuse one of that length. */
function ofLongText([name, list, text, length]: (typeof LONG_TEXTS)[number]): readonly KeyRequest[] {
  const ending = (end: string): string =>
    requestText({ ...parts, ...changed(list, `"${text}"`, `"${'x'.repeat(length)}${end}"`) });
  const long = `a long ${name}`;
  return [
    { ...probe(long, ending('a')), mayRefuse: true },
    { ...probe(`the end of ${long}`, ending('b'), long), mayRefuse: true },
  ];
}

const leftOut = (name: string): string => `${name} left out`;
const asZero = (name: string): string => `${name} 0 instead of absent`;

function requests(recipe: RecipeName): readonly KeyRequest[] {
  const all = recipe === 'rfc-0041' ? changes : [...changes, ...laterChanges];
  const { messages: _, ...optional } = parts;
  return [
    control(WHOLE, requestText(parts)),
    ...all.map(([name, change]) => probe(name, requestText({ ...parts, ...change }))),
    ...PROVIDERS.map((id): KeyRequest => {
      const request = requestText({ ...parts, provider: JSON.stringify(id) });
      return { ...probe(`the provider, ${id} instead of openai`, request), mayRefuse: true };
    }),
    ...Object.keys(optional).map((name) => {
      const { [name]: _dropped, ...others } = parts;
      return probe(leftOut(name), requestText(others));
    }),
    ...zeroable.map((name) => probe(asZero(name), requestText({ ...parts, [name]: '0' }), leftOut(name))),
    ...formats.map((type) => {
      const responseFormat = `{"type":"${type}"}`;
      const name = `responseFormat ${type} without a schema instead of absent`;
      return probe(name, requestText({ ...parts, responseFormat }), leftOut('responseFormat'));
    }),
    probe(OF_TEXT, requestText({ ...parts, responseFormat: '{"type":"text"}' })),
    // A host may know that no provider takes a schema there.
    {
      ...probe('a schema beside the type text', requestText({ ...parts, responseFormat: TEXT_WITH_SCHEMA }), OF_TEXT),
      mayRefuse: true,
    },
    ...LONG_TEXTS.flatMap(ofLongText),
    ...ofLongList('messages', 'message', conversationOf(MANY)),
    ...ofLongList('tools', 'tool', manyTools()),
    control(WHOLE_AGAIN, requestText(parts)),
  ];
}

function judge(answers: Answers, recipe: RecipeName): Outcome {
  const { keys } = answers;
  const whole = keys.find(({ name }) => name === WHOLE);
  const key = keyOf(whole);
  if (whole === undefined) return undecided('the request with every field was not sent', keys);
  if (key === undefined) return undecidedBy({ reason: withoutKey(whole), owner: OWNERS.rightKeys }, keys);
  if (!looksLikeKey(key)) {
    const reason = `${shownAnswer(whole.answer)} does not look like a key`;
    return undecidedBy({ reason, owner: OWNERS.rightKeys }, keys);
  }
  if (keyFor(keys, WHOLE_AGAIN) !== key) {
    const reason = 'the request with every field does not get the same key twice';
    return undecidedBy({ reason, owner: OWNERS.sameKeys }, keys);
  }
  const probes = keys.filter(({ part }) => part === 'probe');
  const like = ({ like: name }: RecordedKey): RecordedKey | undefined => keys.find((each) => each.name === name);
  const blind = probes.filter((each) => {
    const own = keyOf(each);
    return own !== undefined && (own === key || own === keyOf(like(each)));
  });
  const [first] = blind;
  if (first !== undefined) {
    const diagnosis = sharedByAll(keys, recipe) ?? diagnosisOf(keys, recipe) ?? naming('field-not-in-key');
    const actual = `the same key when these change: ${blind.map(({ name }) => name).join(', ')}`;
    const base = keyOf(first) === key ? whole : (like(first) ?? whole);
    const steps = idsOf([base, first]);
    return fail({ expected: 'another key when the field changes', actual, diagnosis, steps }, [...blind, base, whole]);
  }
  const wrong = wrongKey(whole, keys, recipe);
  if (wrong !== undefined) return wrong;
  const shown = probes.filter((each) => !isRefused(each, whole, recipe));
  return leftByGap(answers, shown) ?? pass(keys);
}

/** A change that gets another key, and not its own, where the host follows the recipe otherwise. */
function wrongKey(whole: RecordedKey, keys: readonly RecordedKey[], recipe: RecipeName): Outcome | undefined {
  const isWrong = (each: RecordedKey): boolean => keyOf(each) !== rightKeyOf(each.request, recipe);
  const wrong = keys.find((each) => each.answer.kind === 'key' && isWrong(each));
  if (wrong === undefined || isWrong(whole)) return undefined;
  const diagnosis = diagnoseAnswers(keyAnswers(keys), recipe);
  // What a rule explains is said in its own row.
  if (diagnosis.kind === 'explained' && !diagnosis.explanation.breaks.includes(ID)) return undefined;
  const expected = `${rightKeyOf(wrong.request, recipe) ?? 'no key'} for "${wrong.name}"`;
  return fail(
    { diagnosis: naming('unexplained'), expected, actual: shownAnswer(wrong.answer), restsOn: OWNERS.rightKeys },
    [wrong, whole],
  );
}

/** Whether a change was refused that a host may refuse, for another reason than the request with every field gives it. */
function isRefused(each: RecordedKey, whole: RecordedKey, recipe: RecipeName): boolean {
  if (each.mayRefuse === true && each.answer.kind !== 'key' && !isUnobserved(each.answer)) return true;
  const taken = refusalReasons(whole.request, recipe);
  return isRefusal(each.answer) && [...refusalReasons(each.request, recipe)].some((reason) => !taken.has(reason));
}

/** replay.md §A: each field of the closed set, changed alone, gives another key. */
export const includesRecipeFields = keyScenario({
  id: ID,
  title: 'Every field of the recipe influences the key',
  gate: phase4,
  drive: sending(requests),
  judge: (answers, { options: { recipe } }) => judge(answers, recipe),
});
