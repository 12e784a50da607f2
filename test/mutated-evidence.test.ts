import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeRecorded } from '../src/cli/judge-recorded.ts';
import { UsageError } from '../src/contract/usage-error.ts';
import type { Report } from '../src/contract/report.ts';
import { firstFault, validate } from '../src/contract/validate.ts';
import { createUnpacker } from '../src/evidence/packed-observation.ts';
import type { EvidenceRecord, Observation, ObservationRecord } from '../src/evidence/types.ts';
import { judgeRun } from '../src/runner/judge.ts';
import type { JudgeOptions } from '../src/runner/judge-scenarios.ts';
import { PLAN } from '../src/runner/plan.ts';
import type { Suite } from '../src/runner/scenario.ts';
import { SUITES as ALL_SUITES } from '../scenarios/index.ts';
import { OPTIONS } from './recorded-runs.ts';
import { REPORTERS } from '../src/report/index.ts';
import { withTemporaryDirectory } from './cli.ts';
import { mutated, seeded } from './mutations.ts';
import { runMain } from './run-main.ts';

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
const IS_MORE = process.env['MUTATIONS'] !== undefined;
/** Every suite where more was asked for: recording them takes most of the time. */
const SUITES = IS_MORE ? ALL : ['fork-contract', 'handoff-state-machine'];
const OBEYED =
  /(?<!\/\/\[[\d.a-f:]{0,38})::|::(?![\d.a-f:]{0,38}\])|##[\w.-]*\[|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/u;

/** The style and the script of a page for browsers, in which nothing comes from a host. */
const OWN_CODE = /<(?<name>style|script)>[^]*?<\/\k<name>>/gu;

/** Bodies count as cut: else what exchanges show contradicts most mutations, and no judge is asked. */
const evidence = new Map<string, readonly string[]>();
const reporters = await Promise.all([...REPORTERS].map(async ([format, load]) => [format, await load()] as const));

beforeAll(async () => {
  await withTemporaryDirectory(async (directory) => {
    for (const suite of SUITES) {
      const file = join(directory, suite);
      const few = ['--seed', '1', '--vectors', '20', '--forks', '4', '--crash', 'none'];
      await runMain(['self-test', '--suite', suite, ...few, '--evidence', file]);
      const text = existsSync(file)
        ? readFileSync(file, 'utf8').replaceAll('"truncated":false', '"truncated":true')
        : '';
      evidence.set(suite, text.trimEnd().split('\n'));
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
  const pages = reporters.map(([format, { render }]) => [format, render(report, { color: false })] as const);
  const [violation] = validate('report', JSON.parse(new Map(pages).get('json') ?? ''));
  if (violation !== undefined) return `the report: ${violation.pointer} ${violation.message}`;
  const obeyed = pages.flatMap(([format, page]) =>
    Array.from(page.replace(OWN_CODE, '').match(OBEYED) ?? [], (found) => `${format} holds ${found}`),
  );
  return obeyed[0] ?? '';
}

/** The other commands that read evidence: each gets one in so many of the mutated files. */
const READERS: readonly ((file: string, directory: string) => readonly string[])[] = [
  (file) => ['compare', file, file],
  (file, directory) => ['certify', file, '--key', join(directory, 'key.pem'), '--output', join(directory, 'c.json')],
  (file, directory) => ['baseline', 'init', join(directory, 'baseline.json'), file, '--force'],
  (file, directory) => ['merge', file, '--evidence', join(directory, 'merged.ndjson')],
  (file) => ['diff', file, file],
  (_, directory) => ['audit', '--pairs', directory],
];

/** What a command says of it where that is no answer of a command: the harness failed, or a runner would obey it. */
async function problemOfReader(directory: string, seed: number): Promise<string> {
  const file = join(directory, 'evidence.ndjson');
  copyFileSync(file, join(directory, 'source.ndjson'));
  copyFileSync(file, join(directory, 'replay.ndjson'));
  const args = READERS[seed % READERS.length]?.(file, directory) ?? [];
  const { exitCode, stdout, stderr } = await runMain(args);
  const obeyed = OBEYED.exec(stdout + stderr)?.[0];
  return (exitCode ?? 4) < 4 && obeyed === undefined ? '' : `${args[0]}: ${exitCode}, ${obeyed}: ${stderr}`;
}

/** Some observations of each type, the first ones. */
function sampleOf(records: readonly EvidenceRecord[]): readonly ObservationRecord[] {
  const count = new Map<string, number>();
  return records.filter((record): record is ObservationRecord => {
    if (record.kind !== 'observation' || record.scenario === PLAN) return false;
    const { type } = record.observation;
    count.set(type, (count.get(type) ?? 0) + 1);
    return (count.get(type) ?? 0) <= 3;
  });
}

/** What the checks of the scenario say where a member of its observation is missing, or null: never an error. */
function problemWithout(name: string, of: ObservationRecord, recorded: RecordedSuite): string {
  const { [name as 'type']: _, ...rest } = of.observation;
  const empty = { ...of.observation, [name]: null };
  return problemOfOther(name, of, rest as Observation, recorded) || problemOfOther(name, of, empty, recorded);
}

function problemOfOther(
  name: string,
  of: ObservationRecord,
  observation: Observation,
  { records, suite }: RecordedSuite,
): string {
  // Unless more was asked for, what other scenarios saw stays out: judging that anew for each member takes a minute.
  const isKept = (each: EvidenceRecord): boolean =>
    IS_MORE || !SEEN.has(each.kind) || !('scenario' in each) || isNear(each.scenario, of);
  const near = records.filter(isKept);
  const report = judgeRun(near.with(near.indexOf(of), { ...of, observation }), ALL_SUITES, JUDGING);
  const own = report.checks.filter(({ scenario }) => scenario === of.scenario);
  const place = `${of.observation.type}/${name} of ${of.scenario}`;
  if (report.counts.error > 0) return `${place}: an error`;
  const damaged = own.filter(({ reason }) => reason?.startsWith(`the evidence is damaged: ${of.id} `) === true);
  const isDescribed = firstFault(`observations#${suite.id}`, observation) !== undefined;
  return isDescribed === (damaged.length === own.length) ? '' : `${place}: ${own[0]?.verdict ?? ''}`;
}

/** What is recorded of what a scenario saw. */
const SEEN: ReadonlySet<EvidenceRecord['kind']> = new Set(['exchange', 'observation']);

function isNear(scenario: string, of: ObservationRecord): boolean {
  return scenario === PLAN || scenario === of.scenario;
}

interface RecordedSuite {
  readonly records: readonly EvidenceRecord[];
  readonly suite: Suite;
}

const JUDGING: JudgeOptions = {
  ...OPTIONS,
  level: 'must',
  allowInconclusive: false,
  requirements: [],
};

describe.each(SUITES)('evidence of %s', (id) => {
  const recordedSuite = (): RecordedSuite => {
    const suite = ALL_SUITES.find((each) => each.id === id);
    if (suite === undefined) throw new Error(`no suite ${id}`);
    const unpack = createUnpacker();
    const records = (evidence.get(id) ?? []).map((line) => JSON.parse(line) as EvidenceRecord);
    return { suite, records: records.map((record) => (record.kind === 'observation' ? unpack(record) : record)) };
  };

  it('is as the schema of observations describes it', () => {
    const { records } = recordedSuite();
    const faults = records
      .filter((record) => record.kind === 'observation')
      .map(({ id: each, scenario, observation }) => {
        const pointer = firstFault(`observations#${scenario === PLAN ? PLAN : id}`, observation);
        return pointer === undefined ? '' : `${each} ${observation.type}${pointer}`;
      });
    expect(faults.filter((fault) => fault !== '')).toEqual([]);
  });

  it('decides nothing where a member is missing that judges rely on, and is never an error', () => {
    const recorded = recordedSuite();
    const problems = sampleOf(recorded.records).flatMap((each) =>
      Object.keys(each.observation).map((name) => problemWithout(name, each, recorded)),
    );
    expect(problems.length).toBeGreaterThan(20);
    expect(problems.filter((problem) => problem !== '')).toEqual([]);
  });
});

describe.each(SUITES)('mutated evidence of %s', (suite) => {
  it('is a verdict, or a line that is no evidence; never an error, and soon', { timeout: 3_600_000 }, () =>
    withTemporaryDirectory(async (directory) => {
      const lines = evidence.get(suite) ?? [];
      expect(lines.length).toBeGreaterThan(10);
      const problems: string[] = [];
      const { privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(join(directory, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
      for (let seed = FIRST_SEED; seed < FIRST_SEED + MUTATIONS; seed += 1) {
        const problem =
          (await problemWith(directory, mutated(lines, seeded(seed)))) || (await problemOfReader(directory, seed));
        if (problem !== '') problems.push(`seed ${seed}: ${problem}`);
      }
      expect(problems).toEqual([]);
    }),
  );
});
