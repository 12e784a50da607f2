/** Deeper documents are not parsed: later code walks them recursively. */
export const MAX_JSON_DEPTH = 256;

/** A document of more values, names included, is not parsed: each takes far more memory than the bytes that it came in. */
export const MAX_JSON_VALUES = 1_500_000;

/** Whether a JSON text nests deeper than MAX_JSON_DEPTH. */
export function isTooDeep(text: string): boolean {
  return excessOf(text) === 'too-deep';
}

/** What a JSON text has too much of, if anything. Looks at marks outside strings only. */
export function excessOf(text: string): 'too-deep' | 'too-many' | undefined {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === 0x5c) index += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > MAX_JSON_DEPTH) return 'too-deep';
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
    else if (unit === 0x2c || unit === 0x3a) values += 1;
    if (values > MAX_JSON_VALUES) return 'too-many';
  }
  return undefined;
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
