import { isObject, member } from '../../json.ts';
import type { Defects } from '../mutant.ts';
import {
  byCodeUnit,
  eachOf,
  finiteNumber,
  projecting,
  wellFormedString,
  OFFLINE,
  writing,
} from '../shared/key-parts.ts';

function withFraction(text: string): string {
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function plain(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
}

function inFull(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : finiteNumber(value);
}

/** How strings, names and numbers are written. */
export const defects: Defects = {
  'key-nfc-applied': {
    breaks: 'Strings are normalised to Unicode NFC.',
    kills: [...OFFLINE, 'cache-key.jcs-strings'],
    parts: ({ serialise }) => ({ serialise: (projected) => serialise(projected).normalize('NFC') }),
  },
  'key-names-of-messages-composed': {
    breaks: 'The names of messages are normalised to Unicode NFC.',
    kills: ['cache-key.jcs-strings'],
    parts: projecting((projected) =>
      eachOf(projected, 'messages', (message) => {
        const name = member(message, 'name');
        return typeof name === 'string' ? { ...message, name: name.normalize('NFC') } : message;
      }),
    ),
  },
  'key-ascii-escaped': {
    breaks: 'Characters beyond ASCII are written as escapes.',
    kills: [...OFFLINE, 'cache-key.jcs-strings'],
    parts: writing({ string: (text) => wellFormedString(text).replaceAll(/[^\x00-\x7f]/g, escaped) }),
  },
  'key-html-escaped': {
    breaks: 'Characters that HTML treats specially are written as escapes.',
    kills: [...OFFLINE, 'cache-key.jcs-strings'],
    parts: writing({ string: (text) => wellFormedString(text).replaceAll(/[<>&]/g, htmlEscaped) }),
  },
  'key-proto-key-dropped': {
    breaks: 'A member called __proto__ gets lost.',
    kills: ['cache-key.reproducible-offline.generated', 'cache-key.jcs-key-order'],
    parts: writing({ names: (names) => names.filter((name) => name !== '__proto__').toSorted() }),
  },
  'no-break-space-folded': {
    breaks: 'A no-break space is hashed as a plain one.',
    kills: ['cache-key.jcs-strings'],
    parts: writing({ string: (text) => wellFormedString(text.replaceAll('\u00a0', ' ')) }),
  },
  'slash-escaped': {
    breaks: 'A slash is written as an escape.',
    kills: [...OFFLINE, 'cache-key.jcs-strings'],
    parts: writing({ string: (text) => wellFormedString(text).replaceAll('/', '\\/') }),
  },
  'white-space-in-text': {
    breaks: 'The hashed text has a space after each comma and colon.',
    kills: [...OFFLINE],
    parts: () => ({ serialise: spaced }),
  },
  'delete-escaped': {
    breaks: 'U+007F is written as an escape.',
    kills: ['cache-key.jcs-strings'],
    alsoBreaks: {
      'cache-key.reproducible-offline.golden': 'a vector holds the character',
      'cache-key.reproducible-offline.generated': 'a generated text may hold the character',
    },
    parts: writing({ string: (text) => wellFormedString(text).replaceAll('\x7f', '\\u007f') }),
  },
  'line-separators-escaped': {
    breaks: 'U+2028 and U+2029 are written as escapes.',
    kills: [...OFFLINE, 'cache-key.jcs-strings'],
    parts: writing({
      string: (text) => wellFormedString(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'),
    }),
  },
  'key-number-text': {
    breaks: 'Numbers are written with a fraction always, 1 as 1.0.',
    kills: [...OFFLINE, 'cache-key.jcs-numbers'],
    parts: writing({ number: (value) => withFraction(finiteNumber(value)) }),
  },
  'key-negative-zero': {
    breaks: 'Negative zero keeps its sign.',
    kills: [...OFFLINE, 'cache-key.jcs-numbers'],
    parts: writing({ number: (value) => (Object.is(value, -0) ? '-0' : finiteNumber(value)) }),
  },
  'numbers-as-float32': {
    breaks: 'Numbers are rounded to 32 bits.',
    kills: [...OFFLINE, 'cache-key.jcs-numbers'],
    parts: writing({ number: (value) => finiteNumber(Math.fround(value)) }),
  },
  'numbers-without-exponent': {
    breaks: 'Small and great numbers are written without an exponent.',
    kills: [...OFFLINE, 'cache-key.jcs-numbers'],
    parts: writing({ number: (value) => (finiteNumber(value).includes('e') ? plain(value) : finiteNumber(value)) }),
  },
  'integers-in-full': {
    breaks: 'Integers are written with all their digits instead of as ECMAScript prints a double.',
    kills: [...OFFLINE, 'cache-key.jcs-numbers'],
    parts: writing({ number: inFull }),
  },
};

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function htmlEscaped(unit: string): string {
  return `\\u00${unit.charCodeAt(0).toString(16)}`;
}

function spaced(value: unknown): string {
  if (typeof value === 'number') return finiteNumber(value);
  if (typeof value === 'string') return wellFormedString(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const members = byCodeUnit(Object.keys(value)).map(
    (name) => `${wellFormedString(name)}: ${spaced(member(value, name))}`,
  );
  return `{${members.join(', ')}}`;
}
