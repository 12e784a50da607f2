import type { CheckReport, Report } from '../contract/report.ts';
import { cutShort, stepText } from './closing.ts';
import { escapeXml } from './escape.ts';
import { factsOf, outcomeOf, whyOf, type Outcome } from './outcome.ts';

type Kind = 'passed' | 'failure' | 'error' | 'skipped';

const KINDS: Readonly<Record<Outcome, Kind>> = {
  passed: 'passed',
  failed: 'failure',
  undecided: 'error',
  broken: 'error',
  known: 'skipped',
  advice: 'skipped',
  left: 'skipped',
  'not-applicable': 'skipped',
};

/** A check as a test case. */
interface Case {
  readonly check: CheckReport;
  readonly outcome: Outcome;
  readonly kind: Kind;
  /** Its share of the run's duration. */
  readonly milliseconds: number;
}

/**
 * Renders JUnit XML: a suite for each suite, a case for each check. A failed check is a failure; a harness error is an
 * error, and so is an inconclusive check where it decides and is not excused, and each one of what `--require` names where
 * nothing of that was decided. A run that is not whole is an error of a suite of its own. Skipped, with the reason: what is not
 * applicable, advice, known failures and other inconclusive checks. What a baseline says and is not so is a failure of a suite
 * of its own. Times add up: those of the cases to their suite's, those
 * of the suites to the run's, in which each scenario has the share that its driving took. The suites are as the schema of
 * Ant's reports has them, the whole as that of Jenkins does; neither lets a case have properties, so a suite's name its rows.
 */
export function renderJunit(report: Report): string {
  const times = sharedTimes(report);
  const cases = report.checks.map((check, index) => {
    const outcome = outcomeOf(check, report);
    return { check, outcome, kind: KINDS[outcome], milliseconds: times[index] ?? 0 };
  });
  const suites = [...new Set(report.checks.map((check) => check.suite))];
  const { tests, failures, errors } = tally(cases);
  const problems = (report.baseline?.problems ?? []).map(({ kind, ...each }) => ({ ...each, type: kind }));
  const ending = cutShort(report);
  const endings = ending === undefined ? [] : [{ name: 'whole', message: ending, type: 'inconclusive' }];
  const totals = attributes({
    name: `${report.tool.name} ${report.target.baseUrl}`,
    tests: tests + problems.length + endings.length,
    failures: failures + problems.length,
    errors: errors + endings.length,
    time: seconds(report.durationMs),
  });
  const body = [
    ...suites.map((suite, index) => renderSuite({ report, suite, index }, cases)),
    ...(problems.length === 0 ? [] : [renderOwn(report, 'baseline', problems, suites.length)]),
    ...(endings.length === 0
      ? []
      : [renderOwn(report, 'run', endings, suites.length + (problems.length === 0 ? 0 : 1))]),
  ].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${body}</testsuites>\n`;
}

interface Place {
  readonly report: Report;
  readonly suite: string;
  /** How many suites stand before it. */
  readonly index: number;
}

function renderSuite({ report, suite, index }: Place, all: readonly Case[]): string {
  const cases = all.filter(({ check }) => check.suite === suite);
  const milliseconds = cases.reduce((sum, each) => sum + each.milliseconds, 0);
  const parts = [properties(report, suite), ...cases.map(renderCase)];
  return renderElement(report, { id: index, name: suite, ...tally(cases), milliseconds }, parts);
}

interface Head extends Tally {
  /** How many suites stand before it. */
  readonly id: number;
  readonly name: string;
  readonly milliseconds: number;
}

function renderElement(report: Report, { id, name, milliseconds, ...counts }: Head, parts: readonly string[]): string {
  const head = attributes({
    id,
    package: report.tool.name,
    name,
    ...counts,
    hostname: hostOf(report),
    timestamp: withoutZone(report.startedAt),
    time: seconds(milliseconds),
  });
  return `  <testsuite${head}>\n${parts.join('')}    <system-out/>\n    <system-err/>\n  </testsuite>\n`;
}

interface Problem {
  readonly name: string;
  readonly message: string;
  readonly type: string;
}

/** What the baseline says and is not so, or that the run is not whole: either turns a run red whose checks may all be fine. */
function renderOwn(report: Report, suite: 'baseline' | 'run', problems: readonly Problem[], id: number): string {
  const kind = suite === 'run' ? 'error' : 'failure';
  const cases = problems.map(({ name, message, type }) => {
    const test = attributes({ classname: suite, name, time: seconds(0) });
    return `    <testcase${test}>\n      <${kind}${attributes({ message, type })}/>\n    </testcase>\n`;
  });
  const [tests, none] = [problems.length, { failures: 0, errors: 0, skipped: 0, milliseconds: 0 }];
  const head = { id, name: suite, tests, ...none, [`${kind}s`]: tests };
  return renderElement(report, head, ['    <properties/>\n', ...cases]);
}

/** The host that the suite was driven on. */
function hostOf({ target }: Report): string {
  return (URL.canParse(target.baseUrl) ? new URL(target.baseUrl).hostname : '') || 'localhost';
}

/** Readers of these reports take no fractions of a second and no zone. */
function withoutZone(timestamp: string): string {
  const time = new Date(timestamp);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString().slice(0, 19);
}

/** What became of the suite and of its rows, why nothing of it was judged, and what to do next about its checks. */
function properties({ suites, nextSteps, checks, requirements }: Report, suite: string): string {
  const own = new Set(checks.filter((check) => check.suite === suite).map(({ id }) => id));
  const steps = nextSteps
    .map((step) => ({ ...step, checks: step.checks.filter((id) => own.has(id)) }))
    .filter((step) => step.checks.length > 0);
  const values = [
    ...suites
      .filter(({ id }) => id === suite)
      .flatMap(({ verdict, reason }) => [['verdict', verdict], ...(reason === undefined ? [] : [['reason', reason]])]),
    ...requirements
      .filter((row) => row.checks.some((id) => own.has(id)))
      .map((row) => [`requirement:${row.id}`, `${row.level}, ${row.verdict}: ${row.checks.join(' ')}`]),
    ...steps.map((step) => ['next-step', stepText(step)]),
  ];
  const lines = values.map(([name = '', value = '']) => `      <property${attributes({ name, value })}/>\n`);
  return lines.length === 0 ? '    <properties/>\n' : `    <properties>\n${lines.join('')}    </properties>\n`;
}

type Tally = Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>>;

function tally(cases: readonly Case[]): Tally {
  const of = (kind: Kind): number => cases.filter((each) => each.kind === kind).length;
  return { tests: cases.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

/** The run's whole milliseconds, split over its checks: scenarios overlap, and a scenario's checks share its time. */
function sharedTimes({ checks, durationMs }: Report): readonly number[] {
  const amounts = new Map<string, number>();
  for (const { scenario } of checks) amounts.set(scenario, (amounts.get(scenario) ?? 0) + 1);
  const weights = checks.map((check) => check.durationMs / (amounts.get(check.scenario) ?? 1));
  const sum = weights.reduce((before, weight) => before + weight, 0);
  let passed = 0;
  return weights.map((weight) => {
    const from = Math.round(passed);
    passed += durationMs * (sum === 0 ? 1 / checks.length : weight / sum);
    return Math.round(passed) - from;
  });
}

function renderCase({ check, outcome, kind, milliseconds }: Case): string {
  const head = attributes({
    classname: `${check.suite}.${check.scenario}`,
    name: `${check.id}: ${check.title}`,
    time: seconds(milliseconds),
  });
  return kind === 'passed'
    ? `    <testcase${head}/>\n`
    : `    <testcase${head}>\n      ${renderOutcome(check, outcome, kind)}\n    </testcase>\n`;
}

function renderOutcome(check: CheckReport, outcome: Outcome, kind: Exclude<Kind, 'passed'>): string {
  const why = whyOf(check);
  if (kind === 'skipped') return `<skipped${attributes({ message: skippedAs(check, outcome) + why })}/>`;
  const type = kind === 'failure' ? (check.diagnosis?.code ?? check.requirement) : errorType(check);
  return `<${kind}${attributes({ message: why, type })}>${escapeXml(details(check))}</${kind}>`;
}

function skippedAs({ level, verdict }: CheckReport, outcome: Outcome): string {
  if (outcome === 'known') return '';
  return outcome === 'advice' ? `advice (${level}): ` : `${verdict}: `;
}

function errorType({ verdict }: CheckReport): string {
  return verdict === 'error' ? 'harness' : verdict;
}

function details(check: CheckReport): string {
  return factsOf(check)
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
