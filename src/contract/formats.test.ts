import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDate, isDateTime } from './formats.ts';

type Format = (text: string) => boolean;
const known = fullFormats as unknown as Readonly<Record<string, { readonly validate: Format }>>;

const DAYS = ['2026-01-01', '2026-02-30', '2026-02-29', '2024-02-29', '1900-02-29', '2000-02-29', '2026-04-31'];
const NO_DAYS = ['0000-01-01', '2026-00-10', '2026-13-01', '2026-01-00', '2026-01-32', '2026-1-1', '+002026-01-01', ''];

const ZONES = ['Z', 'z', '+00:00', '-01:30', '+0130', '+01', '-23:59', '+24:00', '+01:60', '', ' Z', '+1:00'];

/** Two digits, most of them an hour, a minute or a second. */
const digits = fc.oneof(fc.integer({ min: 0, max: 61 }), fc.constantFrom(23, 59, 60)).map(padded);
const fraction = fc.constantFrom('', '.5', '.123456', '.');
const moment = fc
  .tuple(fc.constantFrom(...DAYS, ...NO_DAYS), fc.constantFrom('T', 't', ' ', '\n', '  ', 'TT', ''), digits, digits)
  .chain(([day, between, hour, minute]) =>
    fc
      .tuple(digits, fraction, fc.constantFrom(...ZONES))
      .map(([second, part, zone]) => `${day}${between}${hour}:${minute}:${second}${part}${zone}`),
  );

/** Moments about the end of a day, in every zone of whole quarters. */
const leap = fc.tuple(fc.integer({ min: -96, max: 96 }), fc.constantFrom(-1, 0, 0, 1)).map(([quarters, off]) => {
  const minutes = (24 * 60 - 1 + quarters * 15 + off + 2 * 24 * 60) % (24 * 60);
  const ahead = Math.abs(quarters) * 15;
  return `2016-12-31T${clock(minutes)}:60${quarters < 0 ? '-' : '+'}${clock(ahead)}`;
});

function padded(number: number): string {
  return String(number).padStart(2, '0');
}

function clock(minutes: number): string {
  return `${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;
}

/** What the usual package of formats says, which takes hours and minutes beyond a day's in leap seconds. */
function usual(name: 'date' | 'date-time', text: string): boolean {
  return known[name]?.validate(text) === true && !/[tT\s](?:2[4-9]|[3-9]\d|\d\d:[6-9]\d)/u.test(text);
}

describe('the formats of the schemas', () => {
  it.each([...DAYS, ...NO_DAYS])('say of the date %j what the usual package says', (text) => {
    expect(isDate(text)).toBe(usual('date', text));
  });

  it('say the same of moments', () => {
    fc.assert(
      fc.property(fc.oneof(moment, leap), (text) => {
        expect(isDateTime(text)).toBe(usual('date-time', text));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['2026-01-01T00:00:00Z', '2026-01-01t23:59:59.5-08:00', '2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00'])(
    'take the moment %s',
    (text) => expect(isDateTime(text)).toBe(true),
  );

  it.each([
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T24:00:00Z',
    '2016-12-31T23:58:60Z',
  ])('refuse the moment %s', (text) => expect(isDateTime(text)).toBe(false));
});
