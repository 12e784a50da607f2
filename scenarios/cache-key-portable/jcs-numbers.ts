import { digestRow } from './digest-row.ts';
import { probe, requestText, withSchema } from './requests.ts';

/**
 * Inside a schema no host has a reason to check a number's range. Integers are spelled out up to 2^53 - 1 only: RFC 8785
 * takes I-JSON (RFC 7493), beyond which a host may refuse an integer that a double does not hold.
 */
const spellings = [
  '1.0',
  '-0',
  '-0.0',
  '0.0',
  '1e-7',
  '0.0000001',
  '0.000001',
  '1E+2',
  '1e21',
  '1e20',
  '9.999999999999999e20',
  '5e-324',
  '1.7976931348623157e308',
  '0.30000000000000004',
  '0.1',
  '9007199254740991',
  '1.2345678901234568e20',
  '1e2',
  '100.50',
  '-1.5e-9',
  '333333333.33333329',
  '4.50',
  '2e-3',
  '0.000000000000000000000000001',
];

/** Beyond 2^53 - 1, each exactly a double: such a one has a form, but a host that keeps to RFC 7493's advice may refuse it. */
const largeIntegers = ['18014398509481984', '1152921504606846976', '1000000000000000000000'];

/** replay.md §B.2, RFC 8785 §3.2.2.3: numbers as ECMAScript prints a double. */
export const jcsNumbers = digestRow({
  id: 'cache-key.jcs-numbers',
  title: 'Numbers are hashed in the form that RFC 8785 gives them, however the request spells them',
  asks: [
    ...spellings.map((spelling) => probe(spelling, withSchema(`{"const":${spelling}}`))),
    ...largeIntegers.map((spelling) => ({
      ...probe(spelling, withSchema(`{"const":${spelling}}`)),
      mayRefuse: true as const,
    })),
    probe('temperature 0.50', requestText({ temperature: '0.50' })),
    probe('temperature 5E-1', requestText({ temperature: '5E-1' })),
    probe('temperature 1e-7', requestText({ temperature: '1e-7' })),
  ],
});
