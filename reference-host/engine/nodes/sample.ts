import { isObject, member } from '../../json.ts';

/** The plainest value that fits a schema of the types that workflow definitions use; an object has what it requires. */
export function sample(schema: unknown): unknown {
  switch (member(schema, 'type')) {
    case 'object':
      return Object.fromEntries(required(schema).map((name) => [name, sample(property(schema, name))]));
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return 1;
    case 'string':
      return 'mock';
    default:
      return null;
  }
}

function required(schema: unknown): string[] {
  const names = member(schema, 'required');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function property(schema: unknown, name: string): unknown {
  const properties = member(schema, 'properties');
  return isObject(properties) ? member(properties, name) : undefined;
}
