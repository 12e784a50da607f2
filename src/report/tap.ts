import type { CheckReport, Report } from '../contract/report.ts';
import { cutShort, isStopped, stepText, verdictOf } from './closing.ts';
import { escapeJson, escapePage, excerpt, factText } from './escape.ts';
import { factsOf, outcomeOf, whyOf, type Outcome } from './outcome.ts';

const VALUE_CHARACTERS = 600;

/** What stands behind a test point that is neither a pass nor a failure: TODO may fail, SKIP was not run. */
const DIRECTIVES: Readonly<Record<Outcome, 'TODO' | 'SKIP' | undefined>> = {
  passed: undefined,
  failed: undefined,
  undecided: undefined,
  broken: undefined,
  known: 'TODO',
  advice: 'TODO',
  left: 'SKIP',
  'not-applicable': 'SKIP',
};

const RED: readonly Outcome[] = ['failed', 'undecided', 'broken'];

/**
 * Renders TAP 14: a subtest for each suite, a point for each check. What failed, what decides and was not decided, and the
 * harness's own errors are `not ok`, each with what it says about itself in YAML, and so is what a baseline says and is not so, and a run that is not whole; known failures and advice are TODO, what does
 * not apply or does not decide is SKIP. Where nothing was judged it bails out and says why.
 */
export function renderTap(report: Report): string {
  const { tool, target, preflight, nextSteps } = report;
  const suites = [...new Set(report.checks.map(({ suite }) => suite))];
  const head = [
    'TAP version 14',
    comment(`${tool.name} ${tool.version}  ${target.baseUrl}`),
    comment(verdictOf(report)),
  ];
  if (isStopped(report) && preflight !== undefined) {
    const why = excerpt(`${preflight.code}: ${preflight.message}`, VALUE_CHARACTERS);
    return page([...head, `Bail out! ${why}`]);
  }
  const points = suites.flatMap((suite, index) => subtest(report, suite, index + 1));
  const [problems, ending] = [report.baseline?.problems ?? [], cutShort(report)];
  const own = [
    ['baseline', problems.map(({ message }) => message)] as const,
    ['run', ending === undefined ? [] : [ending]] as const,
  ].filter(([, messages]) => messages.length > 0);
  const rest = own.flatMap(([name, messages], index) => ownSubtest(name, messages, suites.length + index + 1));
  const steps = nextSteps.map((step) => comment(`next: ${stepText(step)}`));
  return page([...head, `1..${suites.length + own.length}`, ...points, ...rest, ...steps]);
}

function page(lines: readonly string[]): string {
  return escapePage(`${lines.join('\n')}\n`);
}

function comment(text: string): string {
  return `# ${excerpt(text, VALUE_CHARACTERS)}`;
}

function subtest(report: Report, suite: string, number: number): readonly string[] {
  const checks = report.checks.filter((check) => check.suite === suite);
  const isRed = checks.some((check) => RED.includes(outcomeOf(check, report)));
  const points = checks.flatMap((check, index) => point(check, outcomeOf(check, report), index + 1));
  return [
    `# Subtest: ${described(suite)}`,
    ...[`1..${checks.length}`, ...points].map((line) => `    ${line}`),
    `${isRed ? 'not ok' : 'ok'} ${number} - ${described(suite)}`,
  ];
}

/** A subtest of what the baseline says and is not so, or of the run as a whole. */
function ownSubtest(name: string, messages: readonly string[], number: number): readonly string[] {
  const points = messages.map((message, index) => `    not ok ${index + 1} - ${described(message)}`);
  return [`# Subtest: ${name}`, `    1..${messages.length}`, ...points, `not ok ${number} - ${name}`];
}

function point(check: CheckReport, outcome: Outcome, number: number): readonly string[] {
  const isOk = outcome === 'passed' || DIRECTIVES[outcome] === 'SKIP';
  const directive = DIRECTIVES[outcome];
  const kind = outcome === 'advice' ? `advice (${check.level}): ` : outcome === 'known' ? '' : `${check.verdict}: `;
  const said = directive === undefined ? '' : ` # ${directive} ${described(kind + whyOf(check))}`;
  const line = `${isOk ? 'ok' : 'not ok'} ${number} - ${described(`${check.id}: ${check.title}`)}${said}`;
  return isOk ? [line] : [line, ...yaml(check)];
}

/** A text in which a reader finds no directive. */
function described(text: string): string {
  return excerpt(text, VALUE_CHARACTERS).replace(/[\\#]/gu, String.raw`\$&`);
}

/** What a check says about itself; each text is a JSON string, which YAML reads as it stands. */
function yaml(check: CheckReport): readonly string[] {
  const facts = [['verdict', check.verdict], ...factsOf(check)] as const;
  const lines = facts.map(
    ([name, text]) =>
      `${name.replaceAll(' ', '-')}: ${escapeJson(JSON.stringify(factText(name, text, VALUE_CHARACTERS)))}`,
  );
  return ['---', ...lines, '...'].map((line) => `  ${line}`);
}
