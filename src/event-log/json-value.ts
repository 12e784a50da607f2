/** Deeper events are refused: what follows walks them recursively. */
const MAX_DEPTH = 256;

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member that an object itself has under a name; what it inherits (`__proto__`, `constructor`) is none. */
export function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Why a parsed value cannot be compared, or undefined: it nests too deeply, or holds a number beyond a double, all of
 * which JSON.parse makes the same Infinity (RFC 8785 has no form for them).
 */
export function incomparable(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : 'holds a number outside the range of a double';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return `nests deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) {
    for (const item of value) {
      const problem = incomparable(item, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  // A parsed value inherits nothing that is enumerated.
  for (const name in value) {
    const problem = incomparable((value as Readonly<Record<string, unknown>>)[name], depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
