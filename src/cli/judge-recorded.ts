import { SUITES } from '../../scenarios/index.ts';
import { applyBaseline } from '../baseline/apply.ts';
import { unknownName } from '../contract/nearest.ts';
import type { Report } from '../contract/report.ts';
import { UsageError } from '../contract/usage-error.ts';
import { readVolatile } from '../event-log/index.ts';
import type { EvidenceRecord, Json, RunRecord } from '../evidence/types.ts';
import type { JudgeOptions } from '../runner/judge-scenarios.ts';
import { judgeRun } from '../runner/judge.ts';
import type { Scenario } from '../runner/scenario.ts';
import { askedFor } from '../runner/select.ts';
import { allNames, readBaselineFile } from './baseline-file.ts';
import { excerpt } from '../report/escape.ts';
import { judgingTime } from './judging-time.ts';
import { DEFAULT_FORKS, type JudgeFlags } from './options.ts';
import { readEvidence, type RecordedRun } from './read-evidence.ts';

/** A report, and what it was judged from. */
export interface Judged {
  readonly report: Report;
  readonly records: readonly EvidenceRecord[];
}

/** The report of an evidence file, judged offline. Throws as `judgeWhole` does. */
export async function judgeRecorded(file: string, flags: JudgeFlags): Promise<Report> {
  return (await judgeWhole(file, flags)).report;
}

/**
 * The report of an evidence file, judged offline, and what it holds. Throws UsageError, with the line, for what is no evidence or none that
 * this version's judges can read.
 */
export async function judgeWhole(file: string, flags: JudgeFlags): Promise<Judged> {
  const recorded = await readEvidence(file);
  const { run, records } = recorded;
  const at = `${file}:${recorded.lineOf(run)}`;
  const unknown = run.scenarios.filter(
    (id) => !SUITES.some(({ scenarios }) => scenarios.some((each) => each.id === id)),
  );
  if (unknown.length > 0) {
    const named = `${unknown.slice(0, NAMED).join(', ')}${unknown.length > NAMED ? ' …' : ''}`;
    throw new UsageError(
      `${at}: this version does not know the scenarios ${named}: judge it with the version that wrote it`,
    );
  }
  const options = { ...readJudgeOptions(at, run, flags), isOver: judgingTime() };
  const asked = askedFor(SUITES, { ...options, suites: textsIn(run.options['suite']) });
  const other = run.scenarios.find((id) => !asked.some((each) => each.id === id));
  if (other !== undefined) throw new UsageError(`${at}: the run line names ${other}, which its options do not select`);
  const baseline = flags.baseline === undefined ? undefined : readBaselineFile(flags.baseline, allNames());
  const report = judgeRun(records, SUITES, options);
  const failed = ownErrors(report, records)[0];
  if (failed === undefined) {
    return { report: baseline === undefined ? report : applyBaseline(report, baseline, options), records };
  }
  const line = culprit(failed.scenario, recorded, options);
  throw new UsageError(
    `${file}:${line}: not evidence that this version can judge: ${failed.id}: ${failed.reason ?? ''}`,
  );
}

/** Unknown scenarios that a message lists. */
const NAMED = 5;

/** Checks that ended in an error of a judge, not in one that the drive recorded. */
function ownErrors(report: Report, records: readonly EvidenceRecord[]): Report['checks'] {
  const errors = report.checks.filter(({ verdict }) => verdict === 'error');
  if (errors.length === 0) return [];
  const drives = records.filter((record) => record.kind === 'driven').filter(({ outcome }) => outcome === 'error');
  const recorded = new Set(drives.map(({ scenario }) => scenario));
  return errors.filter(({ scenario }) => !recorded.has(scenario));
}

/** Lines that are left out by way of trial, one after the other. */
const TRIALS = 16;

/** The line without which the scenario can be judged; its first observation where there is no such line. */
function culprit(scenario: string, { records, lineOf }: RecordedRun, options: JudgeOptions): number {
  const own = records.filter((record) => !('scenario' in record) || record.scenario === scenario);
  const suites = SUITES.map((suite) => ({ ...suite, scenarios: suite.scenarios.filter(({ id }) => id === scenario) }));
  const observations = own.filter((record) => record.kind === 'observation');
  const found = observations.slice(0, TRIALS).find((left) => {
    const others = own.filter((record) => record !== left);
    return ownErrors(judgeRun(others, suites, { ...options, exclude: [] }), others).length === 0;
  });
  const [first] = [found, ...observations, ...own].filter((record) => record !== undefined);
  return first === undefined ? 0 : lineOf(first);
}

/** Characters of a name that a message shows. */
const SHOWN = 60;

/** The largest seed, and the most vectors and forks, that a run may be asked for. */
const MOST = { seed: 2 ** 31 - 1, vectors: 10_000, forks: 10_000 } as const;

/** The options under which the evidence was taken; the flags may change what only concerns the verdict. */
export function readJudgeOptions(at: string, { options, target }: RunRecord, flags: JudgeFlags): JudgeOptions {
  const { crash, recipe, level, suite, allowInconclusive, requirements, exclude, require, volatile } = options;
  const wrong = (problem: string): UsageError => new UsageError(`${at}: ${problem}`);
  const whole = (name: keyof typeof MOST, otherwise?: number): number => {
    const value = options[name] ?? otherwise;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST[name]) return value;
    throw wrong(`the run line's ${name} is no whole number from 0 to ${MOST[name]}`);
  };
  const hosts = [target.baseUrl, target.baseUrlB].filter((url) => url !== undefined);
  if (!hosts.every((url) => /^https?:\/\//iu.test(url))) throw wrong("the run line's host has no URL of http or https");
  if (level !== undefined && level !== 'must' && level !== 'should') throw wrong('the run line names no level');
  if (recipe !== 'rfc-0041' && recipe !== 'rfc-0150') throw wrong('the run line names no recipe');
  const pointers = textsIn(volatile);
  const places = readVolatile(pointers);
  if (!places.ok)
    throw wrong(`the run line declares volatile ${excerpt(places.pointer, SHOWN)}, which ${places.message}`);
  const unknown = textsIn(suite).find((name) => !SUITES.some(({ id }) => id === name));
  if (unknown !== undefined)
    throw wrong(`the run line names the suite ${excerpt(unknown, SHOWN)}, which this version does not know`);
  return {
    seed: whole('seed'),
    vectors: whole('vectors'),
    forks: whole('forks', DEFAULT_FORKS),
    crash: crash === 'full' || crash === 'none' ? crash : 'quick',
    recipe,
    level: flags.level ?? (level === 'should' ? 'should' : 'must'),
    allowInconclusive: flags.allowInconclusive ?? allowInconclusive === true,
    requirements: textsIn(requirements),
    exclude: textsIn(exclude),
    require: flags.require === undefined ? textsIn(require) : required(flags),
    volatile: pointers,
  };
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/**
 * The suites and requirements of which something has to be decided (`--require`). A name that nothing has is a usage error,
 * and so is one of which no scenario is selected, where a selection is given.
 */
export function required({ require = [] }: JudgeFlags, selected?: readonly Scenario[]): readonly string[] {
  const known = namesIn(SUITES.flatMap(({ scenarios }) => scenarios));
  const at = selected === undefined ? known : namesIn(selected);
  for (const name of require) {
    if (!known.includes(name)) throw new UsageError(`--require: ${unknownName('suite or requirement', name, known)}`);
    if (!at.includes(name)) throw new UsageError(`--require ${name}: nothing of it is selected`);
  }
  return require;
}

function namesIn(scenarios: readonly Scenario[]): readonly string[] {
  const names = scenarios.flatMap(({ suite, checks }) => [suite, ...checks.map(({ requirement }) => requirement)]);
  return [...new Set(names)];
}
