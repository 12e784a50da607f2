import type { Mutant } from './mutant.ts';
import { finiteNumber } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

export const keyNegativeZero: Mutant = {
  id: 'key-negative-zero',
  breaks: 'Negative zero keeps its sign.',
  kills: [...OFFLINE, 'cache-key.jcs-numbers'],
  parts: writing({ number: (value) => (Object.is(value, -0) ? '-0' : finiteNumber(value)) }),
};
