import type { Defects } from '../mutant.ts';
import { OFFLINE } from '../shared/checks.ts';
import { finiteNumber } from '../shared/json-writer.ts';
import { writing } from '../shared/key-parts.ts';

/** How numbers are written. */
export const defects: Defects = {
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

function withFraction(text: string): string {
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function plain(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
}

function inFull(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : finiteNumber(value);
}
