import type { Arbitrary } from 'fast-check';
import type * as FastCheck from 'fast-check';

/** The library, loaded only when requests are generated: it is large. */
export type Library = typeof FastCheck;

/** Characters as a JSON string may spell them; every entry is a whole number of characters, so any sequence is valid. */
const spelledCharacters: readonly string[] = [
  ...`a|b|Z|0| |_|-|.|hello|~|'`.split('|'),
  ...String.raw`\"|\\|/|\/|\b|\f|\n|\r|\t|\u0000|\u001F|\u0022|\u005c|\u000a`.split('|'),
  ...'\u007f|\u0080|<|>|&|\u2028|\u2029|\\u2028|\u00e9|\\u00E9|e\u0301|\u00c5|\u212b|\ufb01|\u20ac|\u4f60'.split('|'),
  ...'\u{1f600}|\\ud83d\\ude00|\u{10348}|\ue000|\ufb33|\uffff|\ufeff'.split('|'),
];

/** A JSON string literal; shorter and plainer as it shrinks. */
export function stringText(fc: Library, maxLength: number = 8): Arbitrary<string> {
  return fc.array(fc.constantFrom(...spelledCharacters), { maxLength }).map((parts) => `"${parts.join('')}"`);
}

/** A literal that holds at least one of the given spellings. */
export function stringWith(fc: Library, spellings: readonly string[]): Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...spellings), fc.array(fc.constantFrom(...spelledCharacters), { maxLength: 4 }))
    .map(([spelling, rest]) => `"${[spelling, ...rest].join('')}"`);
}

/** Number spellings that a careless writer gets wrong. */
const spelledNumbers: readonly string[] = (
  '0|1|1.0|-0|-0.0|0e0|1e-7|1E-7|0.0000001|0.000001|1E+2|1e2|100|1e21|1e20|5e-324|2.2250738585072014e-308|' +
  '1.7976931348623157e308|0.30000000000000004|0.1|4.50|-1.5E-9|9007199254740991|-9007199254740991|' +
  '9.999999999999999e20|1.2345678901234568E20'
).split('|');

/** A JSON number within the range of a double. */
export function numberText(fc: Library): Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...spelledNumbers),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
  );
}

/** Names whose order tells the ways of sorting apart, or that a JavaScript object treats specially. */
export const clashingNames: readonly string[] = (
  'a|b|A|B|_||ab|10|9|1|01|-1|4294967294|4294967295|\ufb33|\u{1f600}|\ue000|\u00e9|e\u0301|\r|' +
  '__proto__|constructor|toString|type'
).split('|');

/** An object text of these members with every name once, in the order that was drawn. */
export function objectText(members: readonly (readonly [string, string])[]): string {
  const unique = new Map(members);
  return `{${[...unique].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

function leafText(fc: Library): Arbitrary<string> {
  return fc.oneof(fc.constantFrom('null', 'true', 'false', '{}', '[]', '""'), numberText(fc), stringText(fc));
}

/** Any JSON value text, nested at most `depth` levels. */
export function valueText(fc: Library, depth: number): Arbitrary<string> {
  const leaf = leafText(fc);
  if (depth === 0) return leaf;
  const inner = valueText(fc, depth - 1);
  return fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    membersText(fc, inner, 4),
  );
}

/** An object text with up to `maxLength` members of clashing or ordinary names. */
export function membersText(fc: Library, value: Arbitrary<string>, maxLength: number): Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom(...clashingNames),
    fc.string({ maxLength: 5 }).filter((text) => text.isWellFormed()),
  );
  return fc.array(fc.tuple(name, value), { maxLength }).map(objectText);
}
