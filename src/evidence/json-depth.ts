/** Deeper documents are not parsed: later code walks them recursively. */
export const MAX_JSON_DEPTH = 256;

/** A log of more values, names included, is not parsed: each takes far more memory than the bytes that it came in. */
export const MAX_JSON_VALUES = 1_500_000;

/** The same for the names of one object, which is then a table far larger than its text. */
export const MAX_JSON_NAMES = 20_000;

/** Whether a JSON text nests deeper than MAX_JSON_DEPTH. */
export function isTooDeep(text: string): boolean {
  return excessOf(text) === 'too-deep';
}

/** What a JSON text has too much of, if anything: depth, values in all or names in one object. Looks at marks outside strings only. */
export function excessOf(text: string, mostValues: number = MAX_JSON_VALUES): JsonExcess | undefined {
  const found = valuesOf(text, mostValues);
  return typeof found === 'number' ? undefined : found;
}

export type JsonExcess = 'too-deep' | 'too-many';

/** How many values a JSON text holds, names included, or what it has too much of. */
export function valuesOf(text: string, mostValues: number, deepest = MAX_JSON_DEPTH): number | JsonExcess {
  const namesAbove: number[] = [];
  let names = 0;
  let values = 1;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === 0x5c) index += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      namesAbove.push(names);
      names = 0;
      values += 1;
      if (namesAbove.length > deepest) return 'too-deep';
    } else if (unit === 0x7d || unit === 0x5d) names = namesAbove.pop() ?? 0;
    else if (unit === 0x2c) values += 1;
    else if (unit === 0x3a) {
      names += 1;
      values += 1;
      if (names > MAX_JSON_NAMES) return 'too-many';
    }
    if (values > mostValues) return 'too-many';
  }
  return values;
}

/** Whether a parsed value nests deeper than so many levels. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}
