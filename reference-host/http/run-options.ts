import { isObject, member, type JsonObject } from '../json.ts';

/** What is wrong with the run options among an object's members, or undefined; other members are left alone. */
export function runOptionsProblem(options: JsonObject): string | undefined {
  for (const name of ['inputs', 'configurable', 'metadata']) {
    const value = member(options, name);
    if (value !== undefined && !isObject(value)) return `${name} must be an object.`;
  }
  const tags = member(options, 'tags') ?? [];
  const strings = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return strings ? undefined : 'tags must be an array of strings.';
}
