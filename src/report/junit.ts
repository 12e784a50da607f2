import type { CheckReport, Report } from '../contract/report.ts';
import { escapeXml } from './escape.ts';

/**
 * Renders JUnit XML: a suite for each suite, a case for each check. A failed check is a failure, a harness error an
 * error, an inconclusive or not applicable one is skipped with its reason.
 */
export function renderJunit(report: Report): string {
  const suites = [...new Set(report.checks.map((check) => check.suite))];
  const body = suites.map((suite) => renderSuite(report, suite)).join('');
  const { counts } = report;
  const totals = attributes({
    name: `${report.tool.name} ${report.target.baseUrl}`,
    tests: report.checks.length,
    failures: counts.fail,
    errors: counts.error,
    skipped: counts.inconclusive + counts.notApplicable,
    time: seconds(report.durationMs),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${body}</testsuites>\n`;
}

function renderSuite(report: Report, suite: string): string {
  const checks = report.checks.filter((check) => check.suite === suite);
  const of = (...verdicts: readonly string[]): number =>
    checks.filter((check) => verdicts.includes(check.verdict)).length;
  const head = attributes({
    name: suite,
    tests: checks.length,
    failures: of('fail'),
    errors: of('error'),
    skipped: of('inconclusive', 'not-applicable'),
    timestamp: report.startedAt,
    time: seconds(longestOfEachScenario(checks)),
  });
  return `  <testsuite${head}>\n${checks.map(renderCase).join('')}  </testsuite>\n`;
}

/** A scenario's duration stands on each of its checks; it counts once. */
function longestOfEachScenario(checks: readonly CheckReport[]): number {
  const scenarios = new Map(checks.map((check) => [check.scenario, check.durationMs]));
  return [...scenarios.values()].reduce((sum, duration) => sum + duration, 0);
}

function renderCase(check: CheckReport): string {
  const head = attributes({
    classname: `${check.suite}.${check.scenario}`,
    name: `${check.id}: ${check.title}`,
    time: seconds(check.durationMs),
  });
  const outcome = renderOutcome(check);
  return outcome === '' ? `    <testcase${head}/>\n` : `    <testcase${head}>\n      ${outcome}\n    </testcase>\n`;
}

function renderOutcome(check: CheckReport): string {
  const message = check.diagnosis?.message ?? check.reason ?? check.actual ?? check.verdict;
  switch (check.verdict) {
    case 'pass':
      return '';
    case 'fail':
      return `<failure${attributes({ message, type: check.diagnosis?.code ?? check.requirement })}>${escapeXml(details(check))}</failure>`;
    case 'error':
      return `<error${attributes({ message, type: 'harness' })}>${escapeXml(details(check))}</error>`;
    case 'inconclusive':
    case 'not-applicable':
      return `<skipped${attributes({ message: `${check.verdict}: ${message}` })}/>`;
  }
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
