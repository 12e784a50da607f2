import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SUITES } from '../scenarios/index.ts';
import { packageFile } from '../src/contract/package-root.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | true>>;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

const { $defs } = JSON.parse(readFileSync(packageFile('schemas', 'observations.schema.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

function resolved(schema: Schema | true | undefined): Schema {
  if (schema === undefined || schema === true) return {};
  return schema.$ref === undefined || schema.oneOf !== undefined ? schema : ($defs[schema.$ref.slice(8)] ?? {});
}

/** The forms of observations that the schema describes for a suite, by their types. */
function describedFor(suite: string): ReadonlyMap<string, Schema> {
  const forms = (resolved($defs[suite]).oneOf ?? []).map(resolved);
  return new Map(forms.map((form) => [String(resolved(form.properties?.['type']).const), form]));
}

/** One member of an interface, as its source declares it. */
interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
}

/** An interface of observations, as its source declares it. */
interface Declared {
  readonly file: string;
  readonly type: string;
  readonly members: readonly Member[];
}

const INTERFACE = /^(?:export )?interface \w+ extends Observation\b[^{]*\{\n(?<body>(?: .*\n|\n)*)\}/gmu;
const MEMBER = /^ {2}readonly (?<name>\w+)(?<optional>\?)?:\s*(?<type>[^;]*(?:\{[^}]*\}[^;]*)*);/gmu;

function declaredIn(file: string): readonly Declared[] {
  const source = readFileSync(packageFile(file), 'utf8').replace(/\/\*[\s\S]*?\*\//gu, '');
  return [...source.matchAll(INTERFACE)].flatMap(({ groups: { body = '' } = {} }) => {
    const members = [...body.matchAll(MEMBER)].map(({ groups = {} }): Member => ({
      name: groups['name'] ?? '',
      isOptional: groups['optional'] !== undefined,
      type: (groups['type'] ?? '').replace(/\s+/gu, ' ').trim(),
    }));
    const type = members.find(({ name }) => name === 'type')?.type.replaceAll("'", '');
    return type === undefined ? [] : [{ file, type, members }];
  });
}

const FILES = readdirSync(packageFile('scenarios'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => join('scenarios', name));
const OF_PLAN = ['plan', 'preflight', 'silence'].map((name) => `src/runner/${name}.ts`);
const DECLARED = [...FILES, ...OF_PLAN, 'src/host/run-ids.ts'].flatMap(declaredIn);

/** The forms in which the schema has what an interface declares: of its own suite, or of all that use a shared one. */
function formsOf({ file, type }: Declared): readonly Schema[] {
  const [, room = ''] = file.split('/');
  const suites = file.startsWith('src/') ? ['plan'] : room === 'shared' ? SUITES.map(({ id }) => id) : [room];
  const found = suites.flatMap((suite) => describedFor(suite).get(type) ?? []);
  const names = new Set(DECLARED.filter((each) => each.file.startsWith('scenarios/shared/')).map((each) => each.type));
  // Two suites have a type of their own that has the name of a shared one.
  return room === 'shared' && names.has(type) ? found.filter((form) => form === SHARED.get(type)) : found;
}

const SHARED = new Map(
  DECLARED.filter(({ file }) => file.startsWith('scenarios/shared/')).map(({ type }) => [type, $defs[type]]),
);

/** What evidence may lack that was recorded before a member was. */
const ADDED_LATER = new Set(['revision/revision']);

/** The JSON types that a declared type comes to, where it says so by itself; undefined where anything may stand. */
function jsonTypes(type: string): readonly string[] | undefined {
  const parts = type.split(' | ').map((part) => part.trim());
  const types = parts.map((part) => {
    if (part === 'null') return 'null';
    if (part === 'string' || part.startsWith("'")) return 'string';
    if (part === 'number' || part === 'boolean') return part;
    return /^readonly .*\]$/u.test(part) ? 'array' : undefined;
  });
  return types.every((each) => each !== undefined) ? [...new Set(types)].toSorted() : undefined;
}

function typesOf(schema: Schema): readonly string[] | undefined {
  const { type, enum: several, const: only, anyOf } = schema;
  const values = only === undefined ? several : [only];
  if (values !== undefined) return [...new Set(values.map((value) => typeof value))];
  if (anyOf !== undefined) return anyOf.flatMap((each) => typesOf(resolved(each)) ?? []).toSorted();
  return type === undefined ? undefined : [type].flat().toSorted();
}

function problemsOf(form: Schema, { type }: Declared, { name, isOptional, type: declared }: Member): readonly string[] {
  const place = `${type}/${name}`;
  const member = form.properties?.[name];
  if (member === undefined) return [`${place} is not described`];
  const mayLack = isOptional || ADDED_LATER.has(place);
  const [expected, described] = [jsonTypes(declared)?.join(), typesOf(resolved(member))?.join()];
  const differs = expected !== undefined && described !== undefined && expected !== described;
  return [
    ...(form.required?.includes(name) === mayLack ? [`${place} is ${mayLack ? '' : 'not '}required`] : []),
    ...(differs ? [`${place} is ${described}, not ${expected}`] : []),
  ];
}

describe('the schema of observations', () => {
  it.each([...SUITES.map(({ id }) => id), 'plan'])('describes %s', (suite) => {
    expect([...describedFor(suite).keys()]).not.toEqual([]);
  });

  it('describes what the sources declare, and nothing else', () => {
    const described = ['plan', ...SUITES.map(({ id }) => id)].flatMap((suite) => [...describedFor(suite).values()]);
    const declared = DECLARED.flatMap(formsOf);
    expect(DECLARED.filter((each) => formsOf(each).length === 0)).toEqual([]);
    expect([...new Set(described)].filter((form) => !declared.includes(form))).toEqual([]);
    expect(DECLARED.length).toBeGreaterThan(45);
  });

  it.each(DECLARED.map((each) => [each.type, each.file, each] as const))(
    'has %s as %s declares it',
    (_, _file, each) => {
      const problems = formsOf(each).flatMap((form) =>
        each.members.flatMap((member) => problemsOf(form, each, member)),
      );
      expect(problems).toEqual([]);
    },
  );
});
