import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { firstFault } from '../src/contract/validate.ts';
import { runCli } from './cli.ts';

const built = createRequire(import.meta.url)(packageFile('dist', 'validators.cjs')) as Readonly<
  Record<string, ValidateFunction>
>;

/** What nothing asks for, and an observation of each type that lacks the rest. */
const WRONG: readonly unknown[] = [
  null,
  [],
  'text',
  {},
  { supported: 'yes', version: 0, capabilities: null, stray: 1 },
  { type: 1, exchanges: [] },
  ...['target', 'run', 'calls', 'key', 'way', 'answer', 'discovery-answer', 'nothing'].flatMap((type) => [
    { type, exchanges: [] },
    { type, exchanges: [1] },
  ]),
];

function placeOf(error: ErrorObject | undefined): string | undefined {
  const { missingProperty, tag } = (error?.params ?? {}) as Readonly<Record<string, string | undefined>>;
  const member = missingProperty ?? tag;
  return error && `${error.instancePath}${member === undefined ? '' : `/${member}`}`;
}

describe('the validators that ship compiled', () => {
  it.each(Object.entries(built))('%s finds what its schema finds', (name, check) => {
    const found = WRONG.map((value) => (check(value) ? undefined : placeOf(check.errors?.[0])));
    expect(found).toEqual(WRONG.map((value) => firstFault(name, value)));
    expect(found.filter((place) => place !== undefined)).not.toEqual([]);
  });

  it('are all that a run against a sound host needs: it compiles nothing', async () => {
    const NODE_OPTIONS = `--require ${packageFile('test', 'without-ajv.cjs')}`;
    const suites = ['--suite', 'discovery', '--suite', 'run-lifecycle'];
    const { exitCode, stderr } = await runCli(['self-test', ...suites], { NODE_OPTIONS });
    expect([exitCode, stderr]).toEqual([0, '']);
  });
});
