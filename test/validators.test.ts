import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { firstFault } from '../src/contract/validate.ts';
import { runCli, withTemporaryDirectory } from './cli.ts';

const built = createRequire(import.meta.url)(packageFile('dist', 'validators.cjs')) as Readonly<
  Record<string, ValidateFunction>
>;

/** The first line of evidence, but for its time. */
const RUN = {
  kind: 'run',
  evidenceVersion: 1,
  tool: { name: 'a', version: '1' },
  target: { baseUrl: 'http://a' },
  options: {},
  scenarios: [],
};

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
  ...['yesterday', '2026-02-30T10:00:00Z', '2026-02-28T10:00:00Z'].map((startedAt) => ({ ...RUN, startedAt })),
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

  it('are all that a run against a sound host needs, and whoever judges its evidence: both compile nothing', async () => {
    await withTemporaryDirectory(async (directory) => {
      const NODE_OPTIONS = `--require ${packageFile('test', 'without-ajv.cjs')}`;
      const file = join(directory, 'evidence.ndjson');
      const suites = ['--suite', 'discovery', '--suite', 'run-lifecycle'];
      const run = await runCli(['self-test', ...suites, '--evidence', file], { NODE_OPTIONS });
      expect([run.exitCode, run.stderr]).toEqual([0, '']);
      const judged = await runCli(['judge', file], { NODE_OPTIONS });
      expect([judged.exitCode, judged.stderr]).toEqual([0, '']);
    });
  });
});
