import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeRecorded } from '../src/cli/judge-recorded.ts';
import { UsageError } from '../src/contract/usage-error.ts';
import type { Report } from '../src/contract/report.ts';
import { validate } from '../src/contract/validate.ts';
import { RENDERERS } from '../src/report/index.ts';
import { runCli, withTemporaryDirectory } from './cli.ts';
import { mutated, seeded } from './mutations.ts';

/** How many mutations each suite's evidence gets; `MUTATIONS=300 npx vitest run test/mutated-evidence.test.ts` for more. */
const MUTATIONS = Number(process.env['MUTATIONS'] ?? 12);
const FIRST_SEED = Number(process.env['MUTATION_SEED'] ?? 1);
/** Processor time of one judgement: some hundred times what the evidence as recorded needs. */
const MOST_MS = 5_000;
const ALL = [
  'cache-key-portable',
  'fork-contract',
  'replay-determinism',
  'refusal-divergence',
  'observable-sequence',
  'handoff-state-machine',
  'at-most-once',
  'replay-governance',
];
/** Every suite where more was asked for: recording them takes most of the time. */
const SUITES = process.env['MUTATIONS'] === undefined ? ['fork-contract', 'handoff-state-machine'] : ALL;
const OBEYED = /::|##[\w.-]*\[|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/u;

const evidence = new Map<string, readonly string[]>();

beforeAll(async () => {
  await withTemporaryDirectory(async (directory) => {
    for (const suite of SUITES) {
      const file = join(directory, suite);
      const few = ['--seed', '1', '--vectors', '20', '--forks', '4', '--crash', 'none'];
      await runCli(['self-test', '--suite', suite, ...few, '--evidence', file]);
      evidence.set(suite, existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);
    }
  });
}, 600_000);

/** What is wrong with the way in which a text was judged; '' where nothing is. */
async function problemWith(directory: string, text: string): Promise<string> {
  const file = join(directory, 'evidence.ndjson');
  writeFileSync(file, text);
  const before = process.cpuUsage();
  const problem = await judgeRecorded(file, {}).then(
    (report) => problemIn(report, /"outcome":"error"/u.test(text)),
    (error: unknown) => (error instanceof UsageError ? problemOf(error) : String((error as Error).stack)),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 < MOST_MS ? problem : `${(user + system) / 1000} ms; ${problem}`;
}

function problemOf({ message }: UsageError): string {
  return /:\d+: |line \d+|no run line/u.test(message) ? '' : `a message without a line: ${message}`;
}

function problemIn(report: Report, mayHaveFailed: boolean): string {
  if (report.counts.error > 0 && !mayHaveFailed) return 'an error is no verdict';
  const json = RENDERERS.get('json')?.(report, { color: false }) ?? '';
  const [violation] = validate('report', JSON.parse(json));
  if (violation !== undefined) return `the report: ${violation.pointer} ${violation.message}`;
  const obeyed = [...RENDERERS].flatMap(([format, render]) =>
    Array.from(render(report, { color: false }).match(OBEYED) ?? [], (found) => `${format} holds ${found}`),
  );
  return obeyed[0] ?? '';
}

describe.each(SUITES)('mutated evidence of %s', (suite) => {
  it('is a verdict, or a line that is no evidence; never an error, and soon', { timeout: 3_600_000 }, () =>
    withTemporaryDirectory(async (directory) => {
      const lines = evidence.get(suite) ?? [];
      expect(lines.length).toBeGreaterThan(10);
      const problems: string[] = [];
      for (let seed = FIRST_SEED; seed < FIRST_SEED + MUTATIONS; seed += 1) {
        const problem = await problemWith(directory, mutated(lines, seeded(seed)));
        if (problem !== '') problems.push(`seed ${seed}: ${problem}`);
      }
      expect(problems).toEqual([]);
    }),
  );
});
