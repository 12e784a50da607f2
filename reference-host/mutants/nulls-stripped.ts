import type { Mutant } from './mutant.ts';
import { isObject } from '../json.ts';
import { projecting } from './shared/key-parts.ts';

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(present.map(([name, item]) => [name, stripped(item)]));
}

export const nullsStripped: Mutant = {
  id: 'nulls-stripped',
  breaks: 'Nulls inside of schemas are dropped.',
  kills: ['cache-key.reproducible-offline.generated'],
  parts: projecting((projected) =>
    Object.fromEntries(Object.entries(projected).map(([name, value]) => [name, stripped(value)])),
  ),
};
