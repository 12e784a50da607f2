import type { CheckReport, Report } from '../contract/report.ts';
import { decidesIn, isAdvice } from './advice.ts';
import { stepText } from './closing.ts';
import { escapeXml } from './escape.ts';

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

/** A check as a test case. */
interface Case {
  readonly check: CheckReport;
  readonly outcome: Outcome;
  /** Its share of the run's duration. */
  readonly milliseconds: number;
}

/**
 * Renders JUnit XML: a suite for each suite, a case for each check. A failed check is a failure; a harness error is an
 * error, and so is an inconclusive check where it decides and is not excused, and each one of what `--require` names where
 * nothing of that was decided. Skipped, with the reason: what is not
 * applicable, advice, and other inconclusive checks. Times add up: those of the cases to their suite's, those of the suites
 * to the run's, in which each scenario has the share that its driving took.
 */
export function renderJunit(report: Report): string {
  const times = sharedTimes(report);
  const cases = report.checks.map((check, index) => ({
    check,
    outcome: outcomeOf(check, report),
    milliseconds: times[index] ?? 0,
  }));
  const suites = [...new Set(report.checks.map((check) => check.suite))];
  const totals = attributes({
    name: `${report.tool.name} ${report.target.baseUrl}`,
    ...tally(cases),
    time: seconds(report.durationMs),
  });
  const body = suites.map((suite) => renderSuite(report, suite, cases)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${body}</testsuites>\n`;
}

function renderSuite(report: Report, suite: string, all: readonly Case[]): string {
  const cases = all.filter(({ check }) => check.suite === suite);
  const head = attributes({
    name: suite,
    ...tally(cases),
    timestamp: report.startedAt,
    time: seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  });
  return `  <testsuite${head}>\n${properties(report, suite)}${cases.map(renderCase).join('')}  </testsuite>\n`;
}

/** What became of the suite, why nothing of it was judged, and what to do next about its checks. */
function properties({ suites, nextSteps, checks }: Report, suite: string): string {
  const own = new Set(checks.filter((check) => check.suite === suite).map(({ id }) => id));
  const steps = nextSteps
    .map((step) => ({ ...step, checks: step.checks.filter((id) => own.has(id)) }))
    .filter((step) => step.checks.length > 0);
  const values = [
    ...suites
      .filter(({ id }) => id === suite)
      .flatMap(({ verdict, reason }) => [['verdict', verdict], ...(reason === undefined ? [] : [['reason', reason]])]),
    ...steps.map((step) => ['next-step', stepText(step)]),
  ];
  const lines = values.map(([name = '', value = '']) => `      <property${attributes({ name, value })}/>\n`);
  return lines.length === 0 ? '' : `    <properties>\n${lines.join('')}    </properties>\n`;
}

function tally(cases: readonly Case[]): Readonly<Record<string, number>> {
  const of = (outcome: Outcome): number => cases.filter((each) => each.outcome === outcome).length;
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

function outcomeOf(check: CheckReport, report: Report): Outcome {
  if (isMissed(check, report)) return 'error';
  switch (check.verdict) {
    case 'pass':
      return 'passed';
    case 'fail':
      return isAdvice(check, report) ? 'skipped' : 'failure';
    case 'error':
      return 'error';
    case 'inconclusive':
      return decidesIn(report, check.level) && report.options['allowInconclusive'] !== true ? 'error' : 'skipped';
    case 'not-applicable':
      return 'skipped';
  }
}

/** Whether a check belongs to what has to be decided and was not. */
function isMissed({ suite, requirement }: CheckReport, { unmet = [] }: Report): boolean {
  return unmet.some(({ id }) => id === suite || id === requirement);
}

function renderCase({ check, outcome, milliseconds }: Case): string {
  const head = attributes({
    classname: `${check.suite}.${check.scenario}`,
    name: `${check.id}: ${check.title}`,
    time: seconds(milliseconds),
  });
  return outcome === 'passed'
    ? `    <testcase${head}/>\n`
    : `    <testcase${head}>\n      ${renderOutcome(check, outcome)}\n    </testcase>\n`;
}

function renderOutcome(check: CheckReport, outcome: Exclude<Outcome, 'passed'>): string {
  const message = check.diagnosis?.message ?? check.reason ?? check.actual ?? check.verdict;
  if (outcome === 'skipped') {
    const kind = check.verdict === 'fail' ? `advice (${check.level})` : check.verdict;
    return `<skipped${attributes({ message: `${kind}: ${message}` })}/>`;
  }
  const type = outcome === 'error' ? errorType(check) : (check.diagnosis?.code ?? check.requirement);
  return `<${outcome}${attributes({ message, type })}>${escapeXml(details(check))}</${outcome}>`;
}

function errorType({ verdict }: CheckReport): string {
  return verdict === 'error' ? 'harness' : verdict;
}

function details(check: CheckReport): string {
  const lines = [
    ['requirement', `${check.requirement} (${check.level})`],
    ['expected', check.expected],
    ['actual', check.actual],
    ['reason', check.reason],
    ['rests on', check.restsOn],
    ['diagnosis', check.diagnosis && `${check.diagnosis.code}: ${check.diagnosis.message}`],
    ['evidence', check.evidence.join(' ')],
    ['reproduce', check.reproduce],
  ] as const;
  return lines
    .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}: ${value}`]))
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
