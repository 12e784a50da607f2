import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { packageFile } from './package-root.ts';

/** One violation: where in the value, and what the schema asks for. */
export interface Violation {
  readonly pointer: string;
  readonly message: string;
}

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/**
 * Validates a value against a bundled schema, `name` being the file's name without `.schema.json` and, after `#`, a
 * definition inside it. Returns the violations, none when it is valid.
 */
export function validate(name: string, value: unknown): readonly Violation[] {
  const check = compiled.get(name) ?? compile(name);
  if (check(value)) return [];
  return (check.errors ?? []).map((error) => ({
    pointer: error.instancePath,
    message: `${error.message ?? error.keyword}${detail(error.params)}`,
  }));
}

function compile(name: string): ValidateFunction {
  const [file = name, definition] = name.split('#');
  const path = packageFile('schemas', `${file}.schema.json`);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as { $id: string };
  if (ajv.getSchema(schema.$id) === undefined) ajv.addSchema(schema);
  const found = ajv.getSchema(definition === undefined ? schema.$id : `${schema.$id}#/$defs/${definition}`);
  if (found === undefined) throw new Error(`no schema ${name}`);
  compiled.set(name, found);
  return found;
}

function detail(params: Readonly<Record<string, unknown>>): string {
  const name = params['additionalProperty'] ?? params['allowedValue'];
  return name === undefined ? '' : ` (${JSON.stringify(name)})`;
}
