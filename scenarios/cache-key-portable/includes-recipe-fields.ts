import { phase4 } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { type Recorded, type RecipeName } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { diagnosisOf } from './answers.ts';
import { keyOf, looksLikeKey } from './judge-invariance.ts';
import { type CacheKeyObservation, cutShort, keysOf, shownAnswer } from './observation.ts';
import { probe, requestText, type RequestParts } from './requests.ts';
import { seamRow } from './seam-row.ts';

const id = 'cache-key.includes-recipe-fields';
const title = 'Every field of the recipe influences the key';
const whole = 'every field';
const wholeAgain = 'every field again';

function messages(system: string, last: string): string {
  return `[{"role":"system","content":"${system}"},{"role":"user","content":"hello","name":"ann"},{"role":"tool","content":"${last}","toolCallId":"c1"}]`;
}

const parts: RequestParts = {
  messages: messages('be brief', 'x'),
  tools: '[{"name":"lookup","description":"d","parameters":{"type":"object","properties":{"q":{"type":"string"}}}}]',
  temperature: '0.5',
  topP: '0.9',
  topK: '40',
  responseFormat: '{"type":"json","schema":{"type":"object"}}',
};

const changedTool = (from: string, to: string): string => (parts['tools'] ?? '').replace(from, to);
const changedMessage = (from: string, to: string): string => (parts['messages'] ?? '').replace(from, to);

/** One change a field; RFC 0150 adds fields of its own. */
const changes: readonly (readonly [string, RequestParts])[] = [
  ['provider', { provider: '"anthropic"' }],
  ['model', { model: '"claude-3"' }],
  ['the first message', { messages: messages('be long', 'x') }],
  ['the last message', { messages: messages('be brief', 'y') }],
  ['messages[].role', { messages: changedMessage('"role":"user"', '"role":"assistant"') }],
  ['messages[].name', { messages: changedMessage('"ann"', '"bob"') }],
  ['messages[].toolCallId', { messages: changedMessage('"c1"', '"c2"') }],
  ['tools[].name', { tools: changedTool('lookup', 'search') }],
  ['tools[].description', { tools: changedTool('"d"', '"e"') }],
  ['tools[].parameters', { tools: changedTool('"string"', '"number"') }],
  ['temperature', { temperature: '0.6' }],
  ['topP', { topP: '0.8' }],
  ['topK', { topK: '41' }],
  ['responseFormat.type', { responseFormat: '{"type":"tool_call","schema":{"type":"object"}}' }],
  ['responseFormat.schema', { responseFormat: '{"type":"json","schema":{"type":"array"}}' }],
];

const laterChanges: readonly (readonly [string, RequestParts])[] = [
  ['maxOutputTokens', { maxOutputTokens: '5' }],
  ['seed', { seed: '7' }],
  ['stop', { stop: '["x"]' }],
];

/** Fields whose value 0 a host may take for an absent one. */
const zeroable = ['temperature', 'topP', 'topK'];
const optional = ['tools', ...zeroable, 'responseFormat'];

const leftOut = (name: string): string => `${name} left out`;
const asZero = (name: string): string => `${name} 0 instead of absent`;

function partsWithout(dropped: string): RequestParts {
  return Object.fromEntries(Object.entries(parts).filter(([name]) => name !== dropped));
}

function asks(recipe: RecipeName): readonly Ask[] {
  const all = recipe === 'rfc-0041' ? changes : [...changes, ...laterChanges];
  return [
    { name: whole, part: 'control', request: requestText(parts) },
    ...all.map(([name, change]) => probe(name, requestText({ ...parts, ...change }))),
    ...optional.map((name) => probe(leftOut(name), requestText(partsWithout(name)))),
    ...zeroable.map((name) => probe(asZero(name), requestText({ ...parts, [name]: '0' }), leftOut(name))),
    { name: wholeAgain, part: 'control', request: requestText(parts) },
  ];
}

function judge(observations: readonly Recorded<CacheKeyObservation>[], recipe: RecipeName): Judgement {
  const keys = keysOf(observations);
  const evidence = keys.map(({ id: observation }) => observation);
  const result = (verdict: 'pass' | 'inconclusive', reason?: string): Judgement => ({
    check: id,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    evidence,
  });
  const control = keys.find(({ name }) => name === whole);
  const key = keyOf(control);
  if (control === undefined) return result('inconclusive', 'the request with every field was not sent');
  if (key === undefined) {
    return result('inconclusive', `the request with every field got no key: ${shownAnswer(control.answer)}`);
  }
  if (!looksLikeKey(key)) return result('inconclusive', `${shownAnswer(control.answer)} does not look like a key`);
  if (keyOf(keys.find(({ name }) => name === wholeAgain)) !== key) {
    return result('inconclusive', 'the request with every field does not get the same key twice');
  }
  const probes = keys.filter(({ part }) => part === 'probe');
  const without = probes.find(({ answer }) => answer.kind !== 'key');
  const blind = probes.filter((each) => {
    const likened = each.like === undefined ? undefined : keyOf(keys.find(({ name }) => name === each.like));
    const own = keyOf(each);
    return own !== undefined && (own === key || own === likened);
  });
  if (blind.length > 0) {
    const diagnosis = diagnosisOf(keys, recipe);
    return {
      check: id,
      verdict: 'fail',
      expected: 'another key when the field changes',
      actual: `the same key when these change: ${blind.map(({ name }) => name).join(', ')}`,
      ...(diagnosis === undefined ? {} : { diagnosis }),
      evidence: [...blind.map(({ id: observation }) => observation), control.id],
    };
  }
  const missing = cutShort(observations) ?? (without && `"${without.name}" got no key: ${shownAnswer(without.answer)}`);
  return missing === undefined ? result('pass') : result('inconclusive', missing);
}

/** replay.md §A: each field of the closed set, changed alone, gives another key. */
export const includesRecipeFields = seamRow({
  id,
  title,
  gate: phase4,
  drive: (hostProbe, { recipe }) => askKeys(lineTo(hostProbe), asks(recipe)),
  judge: (observations, { recipe }) => judge(observations, recipe),
});
