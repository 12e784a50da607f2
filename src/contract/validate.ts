import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Ajv from 'ajv/dist/2020.js';
import { namesInPointer } from '../protocol/json-pointer.ts';
import { isDate, isDateTime } from './formats.ts';
import { packageFile } from './package-root.ts';

/** One violation: where in the value, and what the schema asks for. */
export interface Violation {
  readonly pointer: string;
  readonly message: string;
}

/** Members and items of a value up to which every violation is collected. */
const SMALL_VALUE = 5000;

const thorough = validator(true);
/** Says whether a value is valid, and the place where it first is not. */
const brief = validator(false, prepared);
/** The same in words. */
const telling = validator(false);

/**
 * Validates a value against a bundled schema, `name` being the file's name without `.schema.json` and, after `#`, a
 * definition inside it. Returns the violations, none when it is valid; of a very large value the first one only, since
 * millions of them would not fit into memory.
 */
export function validate(name: string, value: unknown): readonly Violation[] {
  return errorsIn(name, value).map((error) => ({
    pointer: error.instancePath,
    message: `${error.message ?? error.keyword}${detail(error.params)}`,
  }));
}

function errorsIn(name: string, value: unknown): readonly Ajv.ErrorObject[] {
  if (brief(name)(value)) return [];
  const check = (isSmall(value) ? thorough : telling)(name);
  check(value);
  return check.errors ?? [];
}

/** One violation in words. */
export interface Fault {
  /** A JSON pointer to the place, that of a missing or undeclared member being where it stands or should stand. */
  readonly pointer: string;
  /** What is wrong there: `is missing`, `is null, not string`. */
  readonly wrong: string;
}

/**
 * The violations of a bundled schema (`name` as for `validate`) in words, none where the value is valid. Of a very large
 * value the first one only. What stands there is shown of `sent` values, of which evidence holds no credential.
 */
export function faultsIn(name: string, value: unknown, origin?: 'sent'): readonly Fault[] {
  const faults = errorsIn(name, value)
    .filter(({ keyword }) => !COMPOSING.has(keyword))
    .map((each) => fault(each, value, origin === 'sent' ? scalarAt(value, each.instancePath) : undefined));
  return faults.filter(({ pointer }, index) => faults.findIndex((each) => each.pointer === pointer) === index);
}

/** Keywords that only repeat what those inside them say. */
const COMPOSING: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not']);

function fault(
  { instancePath, keyword, params, message }: Ajv.ErrorObject,
  value: unknown,
  came: string | undefined,
): Fault {
  const of = params as Readonly<Record<string, unknown>>;
  const beside = came === undefined ? '' : `${came}, `;
  switch (keyword) {
    case 'required':
      return { pointer: `${instancePath}/${String(of['missingProperty'])}`, wrong: 'is missing' };
    case 'additionalProperties':
      return { pointer: `${instancePath}/${String(of['additionalProperty'])}`, wrong: 'is not declared' };
    case 'type': {
      const wanted = [of['type']].flat().join(' or ');
      return { pointer: instancePath, wrong: `is ${came ?? typeAt(value, instancePath)}, not ${wanted}` };
    }
    case 'enum':
      return {
        pointer: instancePath,
        wrong: `is ${beside}none of ${(of['allowedValues'] as readonly unknown[]).join(', ')}`,
      };
    case 'const':
      return { pointer: instancePath, wrong: `is ${beside}not ${JSON.stringify(of['allowedValue'])}` };
    case 'false schema':
      return { pointer: instancePath, wrong: 'must not stand here' };
    case 'minLength':
      return { pointer: instancePath, wrong: 'is empty' };
    default:
      return { pointer: instancePath, wrong: `${came === undefined ? '' : `is ${came} and `}${message ?? keyword}` };
  }
}

/** Characters of a value that a fault shows. */
const SHOWN = 60;

/** What stands at a pointer, in JSON and cut; undefined for an object or array, and where nothing stands. */
export function scalarAt(value: unknown, pointer: string): string | undefined {
  const at = locatedAt(value, pointer);
  if (typeof at !== 'string') return at === null || typeof at !== 'object' ? JSON.stringify(at) : undefined;
  return at.length <= SHOWN ? JSON.stringify(at) : `${JSON.stringify(at.slice(0, SHOWN).toWellFormed())}…`;
}

function locatedAt(value: unknown, pointer: string): unknown {
  return namesInPointer(pointer).reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<string, unknown>>)[name],
    value,
  );
}

/** The JSON type of what stands at a pointer; the whole may be an answer that could not be read. */
function typeAt(value: unknown, pointer: string): string {
  const at = locatedAt(value, pointer);
  if (at === null) return 'null';
  if (at === undefined) return 'no JSON';
  return Array.isArray(at) ? 'array' : typeof at;
}

/**
 * The place of the first violation, as a JSON pointer, that of a missing member being where it should stand; undefined
 * where a value is valid. No more of the value is looked at than its schema describes.
 */
export function firstFault(name: string, value: unknown): string | undefined {
  const check = brief(name);
  if (check(value)) return undefined;
  const [error] = check.errors ?? [];
  const params: Readonly<Record<string, unknown>> = error?.params ?? {};
  // The member that is missing, or the one that says which form a value has.
  const member = params['missingProperty'] ?? params['tag'];
  return `${error?.instancePath ?? ''}${typeof member === 'string' ? `/${member}` : ''}`;
}

/** Whether a bundled schema has a definition of this name. */
export function isDefined(name: string, definition: string): boolean {
  return Object.hasOwn(schemaOf(name).$defs ?? {}, definition);
}

type Validators = Readonly<Record<string, Ajv.ValidateFunction>>;

function validator(allErrors: boolean, built: () => Validators = () => ({})): (name: string) => Ajv.ValidateFunction {
  let ajv: Ajv.Ajv2020 | undefined;
  let compiled: Map<string, Ajv.ValidateFunction> | undefined;
  return (name) => {
    compiled ??= new Map(Object.entries(built()));
    const known = compiled.get(name);
    if (known !== undefined) return known;
    ajv ??= createAjv(allErrors);
    const check = compile(ajv, name);
    compiled.set(name, check);
    return check;
  };
}

/** What the build has made of some schemas, so that a run need not compile them. None beside the sources. */
function prepared(): Validators {
  const file = fileURLToPath(new URL('validators.cjs', import.meta.url));
  return existsSync(file) ? (createRequire(file)(file) as Validators) : {};
}

/** Loaded with the first value that is validated: it takes longer than all else that `list` does. */
function createAjv(allErrors: boolean): Ajv.Ajv2020 {
  const load = createRequire(import.meta.url);
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof Ajv;
  return new Ajv2020({
    allErrors,
    strict: true,
    validateSchema: false,
    meta: false,
    allowUnionTypes: true,
    discriminator: true,
    // A process validates little: tidy code costs more than it gains.
    code: { optimize: false },
    formats: { date: isDate, 'date-time': isDateTime },
  });
}

function compile(ajv: Ajv.Ajv2020, name: string): Ajv.ValidateFunction {
  const [file = name, definition] = name.split('#');
  const schema = schemaOf(file);
  if (ajv.getSchema(schema.$id) === undefined) ajv.addSchema(schema);
  const found = ajv.getSchema(definition === undefined ? schema.$id : `${schema.$id}#/$defs/${definition}`);
  if (found === undefined) throw new Error(`no schema ${name}`);
  return found;
}

interface Schema {
  readonly $id: string;
  readonly $defs?: Readonly<Record<string, unknown>>;
}

const schemas = new Map<string, Schema>();

function schemaOf(file: string): Schema {
  const known = schemas.get(file);
  if (known !== undefined) return known;
  const schema = JSON.parse(readFileSync(packageFile('schemas', `${file}.schema.json`), 'utf8')) as Schema;
  schemas.set(file, schema);
  return schema;
}

function isSmall(value: unknown): boolean {
  const waiting = [value];
  for (let next = 0; next < waiting.length; next += 1) {
    const item = waiting[next];
    if (typeof item !== 'object' || item === null) continue;
    const inner: readonly unknown[] = Array.isArray(item) ? item : Object.values(item);
    if (waiting.length + inner.length > SMALL_VALUE) return false;
    waiting.push(...inner);
  }
  return true;
}

function detail(params: Readonly<Record<string, unknown>>): string {
  const name = params['additionalProperty'] ?? params['allowedValue'];
  return name === undefined ? '' : ` (${JSON.stringify(name)})`;
}
