import { type JsonNode, type NumberNode, numberNode } from '../json-node.ts';
import { ecmaNumber } from '../right-steps.ts';
import { mapMember } from './fields.ts';
import { BREAKS, replacing, reshaping, rule, type Rule } from './rule.ts';

type Spell = (node: NumberNode) => string;

/** Sign, significant digits without trailing zeros, and the power of ten of the first digit; the shortest that reads back. */
function shortest(value: number): { readonly sign: string; readonly digits: string; readonly power: number } {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return { sign, digits: mantissa.replace('.', ''), power: Number(exponent) };
}

function plain({ sign, digits, power }: ReturnType<typeof shortest>): string {
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0');
  const rest = digits.slice(power + 1);
  return sign + whole + (rest === '' ? '' : `.${rest}`);
}

function scientific(parts: ReturnType<typeof shortest>, exponent: (power: number) => string): string {
  const rest = parts.digits.slice(1);
  return `${parts.sign}${parts.digits.slice(0, 1)}${rest === '' ? '' : `.${rest}`}${exponent(parts.power)}`;
}

function twoDigitExponent(power: number): string {
  return `e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function withPoint(text: string): string {
  return /[.e]/i.test(text) ? text : `${text}.0`;
}

function isIntegerText(raw: string): boolean {
  return /^-?[0-9]+$/.test(raw);
}

function finite(node: NumberNode, spell: (value: number) => string, otherwise: string): string {
  return Number.isFinite(node.value) ? spell(node.value) : otherwise;
}

function python(node: NumberNode): string {
  if (isIntegerText(node.raw)) return BigInt(node.raw).toString();
  return finite(node, pythonFloat, node.value < 0 ? '-Infinity' : 'Infinity');
}

function pythonFloat(value: number): string {
  const parts = shortest(value);
  return parts.power < -4 || parts.power >= 16 ? scientific(parts, twoDigitExponent) : withPoint(plain(parts));
}

/** Go's `%v`: like ECMAScript, but with at least two digits in the exponent and from 1e-5 down already scientific. */
function goVerb(value: number): string {
  const parts = shortest(value);
  return parts.power < -4 || parts.power >= 21 ? scientific(parts, twoDigitExponent) : plain(parts);
}

/** Go's encoding/json: ECMAScript's form except that -0 keeps its sign. */
function goJson(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function goShortest(value: number): string {
  const parts = shortest(value);
  return parts.power < -4 || parts.power >= 6 ? scientific(parts, twoDigitExponent) : plain(parts);
}

function java(value: number): string {
  const parts = shortest(value);
  if (value !== 0 && (parts.power < -3 || parts.power >= 7)) {
    return scientific({ ...parts, digits: parts.digits.padEnd(2, '0') }, (power) => `E${power}`);
  }
  return withPoint(plain(parts));
}

function rust(value: number): string {
  const parts = shortest(value);
  return parts.power < -5 || parts.power >= 16 ? scientific(parts, (power) => `e${power}`) : withPoint(plain(parts));
}

function precise(digits: number): (value: number) => string {
  return (value) => {
    const parts = { ...shortest(value), ...rounded(value, digits) };
    return parts.power < -4 || parts.power >= digits ? scientific(parts, twoDigitExponent) : plain(parts);
  };
}

function rounded(value: number, digits: number): { readonly digits: string; readonly power: number } {
  const [mantissa = '0', exponent = '0'] = Math.abs(value)
    .toExponential(digits - 1)
    .split('e');
  return { digits: mantissa.replace('.', '').replace(/0+$/, '') || '0', power: Number(exponent) };
}

function inFull(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function integersKept(spell: (value: number) => string): Spell {
  return (node) => (isIntegerText(node.raw) ? BigInt(node.raw).toString() : finite(node, spell, 'null'));
}

function always(spell: (value: number) => string): Spell {
  return (node) => finite(node, spell, 'null');
}

function quoted(node: NumberNode): string {
  return JSON.stringify(ecmaNumber(node) ?? node.raw);
}

function toSingle(value: JsonNode): JsonNode {
  return value.kind === 'number' ? numberNode(Math.fround(value.value)) : value;
}

function toDecimals(value: number, digits: number): number {
  const scaled = Math.round(value * 10 ** digits) / 10 ** digits;
  return Number.isFinite(scaled) ? scaled : value;
}

function spelled(label: string, number: Spell): ReturnType<typeof replacing> {
  return replacing(label, { number });
}

/** Rules of hosts whose numbers are not those of RFC 8785. */
export const numberRules: readonly Rule[] = [
  rule('number-without-form', 'a number beyond a double is hashed as something else', BREAKS.withoutForm, [
    spelled('as null', always(String)),
    spelled('as Infinity', ({ value }) => String(value)),
    spelled('as the largest double', ({ value }) =>
      String(Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))),
    ),
    spelled('as it is spelled', (node) => ecmaNumber(node) ?? node.raw),
  ]),
  rule('negative-zero', 'negative zero keeps its sign', BREAKS.numbers, [
    spelled('as -0', always(goJson)),
    spelled('as -0.0', (node) => (Object.is(node.value, -0) ? '-0.0' : finite(node, String, 'null'))),
    spelled('as -0.0 where it was not spelled as an integer', (node) =>
      Object.is(node.value, -0) && !isIntegerText(node.raw) ? '-0.0' : finite(node, String, 'null'),
    ),
  ]),
  rule('number-text', 'numbers are not written as ECMAScript writes them', BREAKS.numbers, [
    spelled('but as the request spells them', ({ raw }) => raw),
    spelled('but as Python does', python),
    spelled('but as Go prints a float64', always(goVerb)),
    spelled('but in the shortest form of Go', always(goShortest)),
    spelled('but as Java does', integersKept(java)),
    spelled('but as Java prints a double', always(java)),
    spelled('but as Rust does', integersKept(rust)),
    spelled('but as Rust prints a double', always(rust)),
    spelled(
      'but without exponents',
      always((value) => plain(shortest(value))),
    ),
    spelled('integers with all digits of the double', always(inFull)),
    spelled(
      'but with a fraction always',
      always((value) => withPoint(String(value))),
    ),
    spelled('but with 17 significant digits', always(precise(17))),
    spelled('but with 15 significant digits', always(precise(15))),
    spelled('but with 6 significant digits', always(precise(6))),
    spelled(
      'but with 6 decimals',
      always((value) => value.toFixed(6)),
    ),
    spelled(
      'but rounded to 32 bits',
      always((value) => String(Math.fround(value) + 0)),
    ),
    ...[2, 6].map((digits) =>
      spelled(
        `but rounded to ${digits} decimals`,
        always((value) => String(toDecimals(value, digits) + 0)),
      ),
    ),
    ...[1, 2].map((digits) =>
      reshaping(`temperature rounded to ${digits} decimals`, (fields) =>
        mapMember(fields, 'temperature', (node) =>
          node.kind === 'number' ? numberNode(toDecimals(node.value, digits)) : node,
        ),
      ),
    ),
    reshaping('temperature and topP rounded to 32 bits', (fields) =>
      mapMember(mapMember(fields, 'temperature', toSingle), 'topP', toSingle),
    ),
    spelled('but as strings', quoted),
    spelled('integers keep every digit', integersKept(String)),
  ]),
];
