import type { Mutant } from './mutant.ts';
import { finiteNumber } from './shared/json-writer.ts';
import { OFFLINE } from './shared/checks.ts';
import { writing } from './shared/key-parts.ts';

function withFraction(text: string): string {
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

export const keyNumberText: Mutant = {
  id: 'key-number-text',
  breaks: 'Numbers are written with a fraction always, 1 as 1.0.',
  kills: [...OFFLINE, 'cache-key.jcs-numbers'],
  parts: writing({ number: (value) => withFraction(finiteNumber(value)) }),
};
