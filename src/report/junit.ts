import type { CheckReport, Report } from '../contract/report.ts';
import { isAdvice } from './advice.ts';
import { escapeXml } from './escape.ts';

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

/**
 * Renders JUnit XML: a suite for each suite, a case for each check. A failed check is a failure, a harness error an
 * error; an inconclusive or not applicable one, and a failed one that is only advice, is skipped with its reason.
 */
export function renderJunit(report: Report): string {
  const suites = [...new Set(report.checks.map((check) => check.suite))];
  const totals = attributes({
    name: `${report.tool.name} ${report.target.baseUrl}`,
    ...tally(report, report.checks),
    time: seconds(report.durationMs),
  });
  const body = suites.map((suite) => renderSuite(report, suite)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${body}</testsuites>\n`;
}

function renderSuite(report: Report, suite: string): string {
  const checks = report.checks.filter((check) => check.suite === suite);
  const head = attributes({
    name: suite,
    ...tally(report, checks),
    timestamp: report.startedAt,
    time: seconds(longestOfEachScenario(checks)),
  });
  const cases = checks.map((check) => renderCase(check, outcomeOf(check, report)));
  return `  <testsuite${head}>\n${cases.join('')}  </testsuite>\n`;
}

function tally(report: Report, checks: readonly CheckReport[]): Readonly<Record<string, number>> {
  const of = (outcome: Outcome): number => checks.filter((check) => outcomeOf(check, report) === outcome).length;
  return { tests: checks.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

function outcomeOf(check: CheckReport, report: Report): Outcome {
  switch (check.verdict) {
    case 'pass':
      return 'passed';
    case 'fail':
      return isAdvice(check, report) ? 'skipped' : 'failure';
    case 'error':
      return 'error';
    case 'inconclusive':
    case 'not-applicable':
      return 'skipped';
  }
}

/** A scenario's duration stands on each of its checks; it counts once. */
function longestOfEachScenario(checks: readonly CheckReport[]): number {
  const scenarios = new Map(checks.map((check) => [check.scenario, check.durationMs]));
  return [...scenarios.values()].reduce((sum, duration) => sum + duration, 0);
}

function renderCase(check: CheckReport, outcome: Outcome): string {
  const head = attributes({
    classname: `${check.suite}.${check.scenario}`,
    name: `${check.id}: ${check.title}`,
    time: seconds(check.durationMs),
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
  const type = outcome === 'error' ? 'harness' : (check.diagnosis?.code ?? check.requirement);
  return `<${outcome}${attributes({ message, type })}>${escapeXml(details(check))}</${outcome}>`;
}

function details(check: CheckReport): string {
  const lines = [
    ['requirement', `${check.requirement} (${check.level})`],
    ['expected', check.expected],
    ['actual', check.actual],
    ['reason', check.reason],
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
