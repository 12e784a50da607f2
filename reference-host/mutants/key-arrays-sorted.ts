import { isObject, type JsonObject } from '../json.ts';
import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting } from './shared/key-parts.ts';

export const keyArraysSorted: Mutant = {
  id: 'key-arrays-sorted',
  breaks: 'Arrays of plain values inside schemas and content blocks are sorted.',
  kills: [...OFFLINE, 'cache-key.canonical-tool-schema'],
  parts: projecting((projected) =>
    eachValue(projected, (value) => (Array.isArray(value) ? value.map(sorted) : sorted(value))),
  ),
};

/** Arrays that hold an object or an array keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(sorted);
    return items.some((item) => typeof item === 'object' && item !== null) ? items : items.toSorted(byText);
  }
  return isObject(value) ? eachValue(value, sorted) : value;
}

function eachValue(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

function byText(a: unknown, b: unknown): number {
  if (String(a) === String(b)) return 0;
  return String(a) < String(b) ? -1 : 1;
}
