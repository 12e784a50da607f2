import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { finiteNumber } from './shared/json-writer.ts';
import { writing } from './shared/key-parts.ts';

function inFull(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : finiteNumber(value);
}

export const integersInFull: Mutant = {
  id: 'integers-in-full',
  breaks: 'Integers are written with all their digits instead of as ECMAScript prints a double.',
  kills: [...OFFLINE, 'cache-key.jcs-numbers', 'cache-key.cross-host-parity'],
  parts: writing({ number: inFull }),
};
