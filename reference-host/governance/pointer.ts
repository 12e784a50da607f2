import { isObject, member } from '../json.ts';

/** The member names of a JSON pointer (RFC 6901), or undefined where the text is none. */
export function readPointer(pointer: string): readonly string[] | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)+$/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a value has at the end of a way of names and indices; undefined where there is nothing. */
export function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? valueAt(value[Number(name)], rest) : undefined;
  return isObject(value) ? valueAt(member(value, name), rest) : undefined;
}
