import { isObject, member } from '../../json.ts';
import { NoCanonicalForm } from '../../recipe/cache-key.ts';

/** What a mutant writes in another way than RFC 8785; everything that it leaves out is written as the RFC says. */
export interface Writing {
  /** The names of an object in the order in which they are written; depth 0 is the recipe's object. */
  readonly names?: (names: readonly string[], depth: number) => readonly string[];
  readonly number?: (value: number) => string;
  readonly string?: (text: string) => string;
}

/**
 * Writes a JSON value without white space. It shares nothing with the library of the conformant host, so that a mutant
 * differs in what it names and in nothing else. Throws NoCanonicalForm where RFC 8785 has no form. Expects a value of
 * bounded nesting.
 */
export function writeJson(value: unknown, writing: Writing, depth: number = 0): string {
  const { names = byCodeUnit, number = finiteNumber, string = wellFormedString } = writing;
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return string(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, writing, depth + 1)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = names(Object.keys(value), depth).map(
    (name) => `${string(name)}:${writeJson(member(value, name), writing, depth + 1)}`,
  );
  return `{${members.join(',')}}`;
}

/** UTF-16 code units: what sorting strings does without a comparator. */
export function byCodeUnit(names: readonly string[]): readonly string[] {
  return names.toSorted();
}

/** ECMAScript's form, in which negative zero has no sign. Throws NoCanonicalForm for a number beyond binary64. */
export function finiteNumber(value: number): string {
  if (!Number.isFinite(value)) throw new NoCanonicalForm('The request holds a number that is no binary64.');
  return String(value);
}

/** A quoted string. Throws NoCanonicalForm for a lone surrogate. */
export function wellFormedString(text: string): string {
  if (!text.isWellFormed()) throw new NoCanonicalForm('The request holds a lone surrogate.');
  return JSON.stringify(text);
}
