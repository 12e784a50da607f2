import { digestRow } from './digest-row.ts';
import { probe, withContent, withSchema } from './requests.ts';

/** Contents as JSON texts: characters that JSON must escape, and those that it must not. */
const contents: readonly (readonly [string, string])[] = [
  ['control characters', String.raw`"\u0000\u0001\u000b\u001f"`],
  ['short escapes', String.raw`"\b\t\n\f\r\"\\"`],
  ['short escapes spelled long', String.raw`"\u0008\u0009\u000a\u000c\u000d\u0022\u005c"`],
  ['a slash, plain and escaped', String.raw`"a/b\/c"`],
  ['DEL and C1 control characters', '"\u007f\u0080\u009f"'],
  ['U+2028 and U+2029', '"\u2028\u2029"'],
  ['U+2028 spelled as an escape', String.raw`"x\u2028"`],
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
  ['private use and noncharacters', '"\ue000\uffff\u{10ffff}"'],
];

/** replay.md §B.2, RFC 8785 §3.2.2.2: escapes as ECMAScript writes them, no Unicode normalisation from version 4 on. */
export const jcsStrings = digestRow({
  id: 'cache-key.jcs-strings',
  title: 'Strings are hashed in the form that RFC 8785 gives them, and no character is normalised',
  asks: [
    ...contents.map(([name, content]) => probe(name, withContent(content))),
    probe('a decomposed name', withSchema('{"e\u0301":1}')),
    probe('a name with a control character', withSchema(String.raw`{"a\u001fb\/<\u00e9":1}`)),
  ],
});
