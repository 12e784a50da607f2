import type { Mutant } from './mutant.ts';
import { finiteNumber } from './shared/json-writer.ts';
import { writing } from './shared/key-parts.ts';

export const outOfRangeNumberAccepted: Mutant = {
  id: 'out-of-range-number-accepted',
  breaks: 'A number beyond binary64 is hashed as null.',
  kills: ['cache-key.rejects-non-json-values'],
  parts: writing({ number: (value) => (Number.isFinite(value) ? finiteNumber(value) : 'null') }),
};
