import { type JsonNode, rewrite, stringNode } from '../json-node.ts';
import { byCodeUnit } from '../member-order.ts';
import { toolName } from '../right-steps.ts';
import type { Steps, ToolOrder } from '../steps.ts';
import { mapContent, rewriteFields } from './fields.ts';
import { BREAKS, finishing, replacing, requoting, reshaping, rule, type Rule, type Variant } from './rule.ts';

/** A variant that changes every name and string before names are ordered. */
export function everyString(label: string, change: (text: string) => string): Variant {
  return { label, apply: (steps) => ({ ...steps, respell: [...steps.respell, change] }) };
}

function inForm(form: string): (node: JsonNode) => JsonNode {
  return (node) => (node.kind === 'string' ? stringNode(node.value.normalize(form)) : node);
}

function inNfc(text: string): string {
  return text.normalize('NFC');
}

/** Of a request that was normalised as a whole the tools are sorted by what became of their names. */
function nfcFirst(steps: Steps): Steps {
  const toolOrder: ToolOrder = (a, b) => byCodeUnit(inNfc(toolName(a)), inNfc(toolName(b)));
  return { ...steps, respell: [...steps.respell, inNfc], toolOrder };
}

function withNamesInNfc(steps: Steps): Steps {
  const { memberOrder } = steps;
  return {
    ...steps,
    memberOrder: (members, depth) => memberOrder(members, depth).map(({ key, value }) => ({ key: inNfc(key), value })),
  };
}

/** One or two code units as escapes. */
function escaped(character: string): string {
  const first = escapedUnit(character.charCodeAt(0));
  return character.length === 1 ? first : first + escapedUnit(character.charCodeAt(1));
}

function escapedUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function escapedUpper(character: string): string {
  return escaped(character).toUpperCase().replaceAll('\\U', '\\u');
}

function escaping(what: RegExp, form: (character: string) => string = escaped): (quoted: string) => string {
  return (quoted) => quoted.replace(what, form);
}

const nonAscii = /[^\x00-\x7f]/gu;
const nonAsciiAndDelete = /[^\x00-\x7e]/gu;
const html = /[<>&]/g;
const htmlAndSeparators = /[<>&\u2028\u2029]/g;
const slash = (quoted: string): string => quoted.replaceAll('/', '\\/');
const longControls: ReadonlyMap<string, string> = new Map([
  ['\\b', '\\u0008'],
  ['\\f', '\\u000c'],
  ['\\n', '\\u000a'],
  ['\\r', '\\u000d'],
  ['\\t', '\\u0009'],
]);

/** Replaces short escapes, stepping over `\\` so that an escaped backslash is never taken for the start of one. */
function lengthened(short: string): (quoted: string) => string {
  return (quoted) =>
    quoted.replaceAll(/\\./g, (found) => (short.includes(found.slice(1)) ? (longControls.get(found) ?? found) : found));
}

function controlsUpper(quoted: string): string {
  return quoted.replaceAll(/\\u00([01][0-9a-f])/g, (_, digits: string) => `\\u00${digits.toUpperCase()}`);
}

const escapes: readonly Rule[] = [
  rule('ascii-escaped', 'characters beyond ASCII are written as \\u escapes', BREAKS.strings, [
    requoting('', escaping(nonAscii)),
    requoting('with upper-case digits', escaping(nonAscii, escapedUpper)),
    requoting('and DEL', escaping(nonAsciiAndDelete)),
    requoting('and slashes as \\/', (quoted) => slash(escaping(nonAscii)(quoted))),
    requoting('those beyond U+FFFF only', escaping(/[\u{10000}-\u{10ffff}]/gu)),
  ]),
  rule(
    'html-escaped',
    'characters that HTML or JavaScript treat specially are written as \\u escapes',
    BREAKS.strings,
    [
      requoting('<, >, &, U+2028 and U+2029', escaping(htmlAndSeparators)),
      requoting('<, > and &', escaping(html)),
      requoting('<, >, & and the apostrophe', escaping(/[<>&']/g)),
      requoting('U+2028 and U+2029', escaping(/[\u2028\u2029]/g)),
      requoting('<, > and &, with upper-case digits', escaping(html, escapedUpper)),
      requoting('<, >, &, U+2028, U+2029, backspace and form feed', (quoted) =>
        escaping(htmlAndSeparators)(lengthened('bf')(quoted)),
      ),
    ],
  ),
  rule('slash-escaped', 'a slash is written as \\/', BREAKS.strings, [requoting('', slash)]),
  rule('control-escapes', 'control characters are not escaped as RFC 8785 says', BREAKS.strings, [
    requoting('backspace and form feed in the long form', lengthened('bf')),
    requoting('all in the long form', lengthened('bfnrt')),
    requoting('with upper-case digits', controlsUpper),
    requoting('DEL is escaped too', escaping(/\x7f/g)),
    requoting('C1 control characters are escaped too', escaping(/[\x7f-\x9f]/g)),
  ]),
];

const normalisation: Rule = rule('nfc-applied', 'strings are normalised as Unicode defines', BREAKS.strings, [
  everyString('to NFC', inNfc),
  { label: 'to NFC, before tools were sorted', apply: nfcFirst },
  ...['NFC', 'NFD', 'NFKC'].map((form) =>
    reshaping(`to ${form}, values but not names`, (fields) => rewriteFields(fields, inForm(form))),
  ),
  reshaping('to NFC, the content of messages alone', (fields) =>
    mapContent(fields, (content) => rewrite(content, inForm('NFC'))),
  ),
  reshaping('to NFC, content that is a string alone', (fields) => mapContent(fields, inForm('NFC'))),
  { label: 'to NFC, names alone, after they were sorted', apply: withNamesInNfc },
  finishing('to NFC, after names were sorted', inNfc),
  everyString('to NFKC', (text) => text.normalize('NFKC')),
  everyString('to NFD', (text) => text.normalize('NFD')),
  everyString('to NFKD', (text) => text.normalize('NFKD')),
]);

const anySurrogate = /[\ud800-\udfff]/g;
const loneSurrogate = /\p{Surrogate}/gu;

/** The bytes of a text in which every surrogate, paired or not, takes three bytes of its own. */
function surrogateBytes(text: string): Uint8Array {
  const parts = Array.from({ length: text.length }, (_, at) => unitBytes(text.charCodeAt(at)));
  return Buffer.concat(parts);
}

function unitBytes(unit: number): Buffer {
  if (unit < 0xd800 || unit > 0xdfff) return Buffer.from(String.fromCharCode(unit), 'utf8');
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
}

function wobblyBytes(text: string): Uint8Array {
  const parts = Array.from(text, (character) =>
    character.length === 1 ? unitBytes(character.charCodeAt(0)) : Buffer.from(character, 'utf8'),
  );
  return Buffer.concat(parts);
}

/** Quotes a string without touching its lone surrogates: they reach the bytes. */
const rawSurrogates: Variant = {
  label: 'a lone surrogate becomes three bytes',
  apply: (steps) => ({
    ...steps,
    loneSurrogates: (text) => text,
    requote: [
      ...steps.requote,
      (quoted) =>
        quoted.replaceAll(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/g, (found, digits: string | undefined) =>
          digits === undefined ? found : String.fromCharCode(Number.parseInt(digits, 16)),
        ),
    ],
    bytes: wobblyBytes,
  }),
};

const replacements: Rule = rule(
  'utf8-replacement',
  'characters without a UTF-8 form, or beyond U+FFFF, are hashed as something else',
  BREAKS.withoutForm,
  [
    replacing('a lone surrogate becomes U+FFFD', {
      loneSurrogates: (text) => text.replaceAll(loneSurrogate, '\ufffd'),
    }),
    replacing('a lone surrogate becomes an escape', { loneSurrogates: (text) => text }),
    replacing('a lone surrogate becomes a question mark', {
      loneSurrogates: (text) => text.replaceAll(loneSurrogate, '?'),
    }),
    replacing('a lone surrogate is dropped', { loneSurrogates: (text) => text.replaceAll(loneSurrogate, '') }),
    rawSurrogates,
  ],
);

const mangled: Rule = rule(
  'utf8-replacement',
  'characters beyond U+FFFF are hashed as something else',
  BREAKS.strings,
  [
    everyString('as one U+FFFD', (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
    everyString('as two U+FFFD', (text) => text.replaceAll(anySurrogate, '\ufffd')),
    replacing('as two surrogates of three bytes each', { bytes: surrogateBytes }),
  ],
);

const encodings: Rule = rule('other-encoding', 'the text is not hashed as UTF-8', BREAKS.strings, [
  replacing('but as Latin-1', { bytes: (text) => Buffer.from(text, 'latin1') }),
  replacing('but as UTF-16, little-endian', { bytes: (text) => Buffer.from(text, 'utf16le') }),
  replacing('but as UTF-16, big-endian', { bytes: (text) => Buffer.from(text, 'utf16le').swap16() }),
  replacing('but with a byte order mark', { bytes: (text) => `\ufeff${text}` }),
  replacing('but as ASCII with question marks', { bytes: (text) => text.replaceAll(/[^\x00-\x7f]/g, '?') }),
  replacing('but as UTF-8 that was read as Latin-1', { bytes: (text) => Buffer.from(text, 'utf8').toString('latin1') }),
]);

/** Rules of hosts whose strings are not those of RFC 8785. */
export const stringRules: readonly Rule[] = [normalisation, ...escapes, replacements, mangled, encodings];
