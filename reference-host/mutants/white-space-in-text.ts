import type { Mutant } from './mutant.ts';
import { byCodeUnit, finiteNumber, wellFormedString } from './shared/json-writer.ts';
import { isObject, member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';

function spaced(value: unknown): string {
  if (typeof value === 'number') return finiteNumber(value);
  if (typeof value === 'string') return wellFormedString(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const members = byCodeUnit(Object.keys(value)).map(
    (name) => `${wellFormedString(name)}: ${spaced(member(value, name))}`,
  );
  return `{${members.join(', ')}}`;
}

export const whiteSpaceInText: Mutant = {
  id: 'white-space-in-text',
  breaks: 'The hashed text has a space after each comma and colon.',
  kills: [...OFFLINE],
  parts: () => ({ serialise: spaced }),
};
