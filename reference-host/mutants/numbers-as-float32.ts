import type { Mutant } from './mutant.ts';
import { finiteNumber } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

export const numbersAsFloat32: Mutant = {
  id: 'numbers-as-float32',
  breaks: 'Numbers are rounded to 32 bits.',
  kills: [...OFFLINE, 'cache-key.jcs-numbers'],
  parts: writing({ number: (value) => finiteNumber(Math.fround(value)) }),
};
