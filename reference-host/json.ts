/** A JSON object as JSON.parse makes it: every member is an own property, `__proto__` included. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a parsed JSON value is an object, neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member of a JSON object, or undefined; a name such as `constructor` never reaches the prototype. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The own member where it is a string, else undefined. */
export function stringMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** The own member where it is an object, else an empty one. */
export function objectMember(value: unknown, name: string): JsonObject {
  const found = member(value, name);
  return isObject(found) ? found : {};
}

/** The own member where it is an array, else an empty one. */
export function listMember(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

export type JsonReading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** Deeper than any honest request, and shallow enough for recursive consumers of the value. */
const MAX_DEPTH = 256;

/** Parses JSON text of bounded nesting. `why` is a sentence for the caller and never quotes the text. */
export function parseJson(text: string): JsonReading {
  if (nestsDeeperThan(text, MAX_DEPTH)) return { ok: false, why: `JSON nests deeper than ${MAX_DEPTH} levels.` };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false, why: 'The text is not JSON.' };
  }
}

/** One pass over the text before it is parsed: brackets inside strings do not count. */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}
