import { digestScenario } from './digest-rows.ts';
import { either, type KeyRequest, MANY, probe, requestText, withContent, withSchema } from './requests.ts';
import { namedMessage, result } from './rows-of-the-object.ts';

/**
 * Inside a schema no host has a reason to check a number's range. Integers are spelled out up to 2^53 - 1 only: RFC 8785
 * takes I-JSON (RFC 7493), beyond which a host may refuse an integer that a double does not hold.
 */
const SPELLINGS = (
  '1.0 -0 -0.0 0.0 1e-7 0.0000001 0.000001 1E+2 1e21 1e20 9.999999999999999e20 5e-324 1.7976931348623157e308 ' +
  '0.30000000000000004 0.1 9007199254740991 1.2345678901234568e20 1e2 100.50 -1.5e-9 333333333.33333329 4.50 2e-3 ' +
  '0.000000000000000000000000001'
).split(' ');

/** Beyond 2^53 - 1, each exactly a double: such a one has a form, but a host that keeps to RFC 7493's advice may refuse it. */
const LARGE_INTEGERS = ['18014398509481984', '1152921504606846976', '1000000000000000000000'];

function spelled(number: string): KeyRequest {
  return probe(number, withSchema(`{"const":${number}}`));
}

/** Contents as JSON texts: characters that JSON must escape, and those that it must not. */
const CONTENTS: readonly (readonly [name: string, content: string])[] = [
  ['control characters', String.raw`"\u0000\u0001\u000b\u001f"`],
  ['short escapes', String.raw`"\b\t\n\f\r\"\\"`],
  ['short escapes spelled long', String.raw`"\u0008\u0009\u000a\u000c\u000d\u0022\u005c"`],
  ['a slash, plain and escaped', String.raw`"a/b\/c"`],
  ['DEL and C1 control characters', '"\u007f\u0080\u009f"'],
  ['U+2028 and U+2029', '"\u2028\u2029"'],
  ['U+2028 spelled as an escape', String.raw`"x\u2028"`],
  ['spaces of other kinds', '"a\u00a0b\u2003c\u3000d"'],
  ['less than, greater than, ampersand', `"<b>&amp;'</b>"`],
  ['Latin letters', '"caf\u00e9"'],
  ['letters spelled as escapes', String.raw`"na\u00efve"`],
  ['beyond U+FFFF', '"\u{1f600}\u{10348}"'],
  ['beyond U+FFFF spelled as escapes', String.raw`"\ud83d\ude01"`],
  ['composed', '"\u00c5"'],
  ['decomposed', '"A\u030a"'],
  ['the Angstrom sign', '"\u212b"'],
  ['a ligature', '"\ufb01"'],
  ['a byte order mark and zero width', '"\ufeff\u200b\u200d"'],
  ['selectors of variants', '"\u2764\ufe0f\u{1f44d}\u{1f3fd}"'],
  ['a soft hyphen, marks of direction', String.raw`"co\u00adop \u202ea\u200f\u2066b\u2069"`],
  ['Hangul, marks in another order', String.raw`"\u1112\u1161\u11ab q\u0307\u0323"`],
  ['quotation marks, full width', String.raw`"\u201ca\u2019\u201d \uff21\uff0c"`],
  ['private use and noncharacters', '"\ue000\uffff\u{10ffff}"'],
];

/** Schemas as JSON texts, with names in orders that hosts get wrong. */
const SCHEMAS: readonly (readonly [name: string, schema: string])[] = [
  ['inside a schema', '{"type":"object","properties":{"b":{"z":1,"y":2},"a":{}}}'],
  ['cases', '{"b":1,"B":2,"a":3,"A":4,"_":5}'],
  ['U+FB33 and U+1F600', '{"\ufb33":1,"\u{1f600}":2,"\ue000":3}'],
  ['control, Latin and Greek characters', String.raw`{"\u00f6":1,"\u20ac":2,"\r":3,"1":4,"\u0080":5}`],
  ['integer-like names', '{"10":1,"9":2,"a":3,"01":4,"-1":5,"4294967295":6}'],
  ['an empty name', '{"a":1,"":2}'],
  ['a prefix', '{"ab":1,"a":2}'],
  ['many names', `{${Array.from({ length: MANY }, (_, index) => `"n${MANY - index}":1`).join(',')}}`],
  ['__proto__', '{"z":1,"__proto__":{"b":1,"a":2},"constructor":3}'],
  ['__proto__ of a scalar', '{"__proto__":1,"prototype":2}'],
];

/** Every place of a request whose text is free, beside plain contents. */
const DECOMPOSED = {
  model: '"gpt-e\u0301"',
  messages: '[{"role":"user","content":[{"type":"text","text":"e\u0301","e\u0301":{"e\u0301":"e\u0301"}}]}]',
  tools: '[{"name":"lookup","description":"e\u0301","parameters":{"properties":{"e\u0301":{"title":"e\u0301"}}}}]',
  responseFormat: '{"type":"json","schema":{"title":"e\u0301","enum":["e\u0301"]}}',
};

// The rows about the text that is hashed, as replay.md §B.2 and RFC 8785 write it.

/** RFC 8785 §3.2.2.3: numbers as ECMAScript prints a double. */
export const jcsNumbers = digestScenario({
  id: 'cache-key.jcs-numbers',
  title: 'Numbers are hashed in the form that RFC 8785 gives them, however the request spells them',
  requests: [
    ...SPELLINGS.map(spelled),
    probe('below a schema', withSchema('{"properties":{"a":{"maximum":1e2,"minimum":0.5}}}')),
    ...LARGE_INTEGERS.map((number): KeyRequest => ({ ...spelled(number), mayRefuse: true })),
    ...['0.50', '5E-1', '1e-7', '-0'].map((number) =>
      probe(`temperature ${number}`, requestText({ temperature: number })),
    ),
    // A host may know that no provider takes a fraction or so many there, or less than nothing, and that some take no temperature above 1.
    ...['2.5', '3000000000'].map((number): KeyRequest => ({
      ...probe(`topK ${number}`, requestText({ topK: number })),
      mayRefuse: true,
    })),
    { ...probe('numbers below zero', requestText({ temperature: '-0.5', topK: '-1' })), mayRefuse: true },
    ...['1.75', '2.5'].map((number): KeyRequest => ({
      ...probe(`temperature ${number}`, requestText({ temperature: number })),
      mayRefuse: true,
    })),
    { ...probe('topP 1.5', requestText({ topP: '1.5' })), mayRefuse: true },
  ],
});

/** RFC 8785 §3.2.2.2: escapes as ECMAScript writes them, no Unicode normalisation from version 4 on. */
export const jcsStrings = digestScenario({
  id: 'cache-key.jcs-strings',
  title: 'Strings are hashed in the form that RFC 8785 gives them, and no character is normalised',
  requests: [
    namedMessage,
    result,
    ...CONTENTS.map(([name, content]) => probe(name, withContent(content))),
    probe('a decomposed name', withSchema('{"e\u0301":1}')),
    probe('decomposed letters wherever a text is free', requestText(DECOMPOSED)),
    // A host may refuse such a name, and has to hash it as it is where it does not.
    ...Object.entries({ name: 'user', toolCallId: 'tool' }).map(([name, role]) => ({
      ...probe(
        `a decomposed ${name}`,
        requestText({ messages: `[{"content":"hello","${name}":"e\u0301","role":"${role}"}]` }),
      ),
      mayRefuse: true as const,
    })),
    probe('a name with a control character', withSchema(String.raw`{"a\u001fb\/<\u00e9":1}`)),
  ],
});

/** RFC 8785 §3.2.3: names by UTF-16 code unit, at every level. */
export const jcsKeyOrder = digestScenario({
  id: 'cache-key.jcs-key-order',
  title: 'Names of objects are hashed in ascending order of their UTF-16 code units, whatever they are called',
  requests: [
    namedMessage,
    probe('turned round', '{"messages":[{"role":"user","content":"x"}],"model":"m","provider":"openai"}'),
    probe('inside a message', requestText({ messages: '[{"role":"user","name":"ann","content":"x"}]' })),
    ...SCHEMAS.map(([name, schema]) => probe(name, withSchema(schema))),
    probe(
      'white space between tokens',
      '{ "model" : "m2" ,\n\t"provider" : "openai" ,\r\n "messages" : [ { "content" : "x" , "role" : "user" } ] }',
    ),
    either('a name given twice, the last time as before', '{"model":"other",' + requestText().slice(1), 'plain'),
  ],
});
