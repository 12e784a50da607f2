import type { Mutant } from './mutant.ts';
import { finiteNumber } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

function plain(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
}

export const numbersWithoutExponent: Mutant = {
  id: 'numbers-without-exponent',
  breaks: 'Small and great numbers are written without an exponent.',
  kills: [...OFFLINE, 'cache-key.jcs-numbers'],
  parts: writing({ number: (value) => (finiteNumber(value).includes('e') ? plain(value) : finiteNumber(value)) }),
};
