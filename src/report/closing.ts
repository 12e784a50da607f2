import type { ChalkInstance } from 'chalk';
import type { NextStep, Report, SuiteReport } from '../contract/report.ts';
import { isAdvice } from './advice.ts';
import { escapeTerminal, excerpt } from './escape.ts';

/** Next steps that a page lists where nobody wants all. */
const STEPS = 12;
const REASON_CHARACTERS = 120;

/** What to do next, in order of what it unlocks; all of it where `verbose`. */
export function nextStepLines({ nextSteps }: Pick<Report, 'nextSteps'>, verbose: boolean): readonly string[] {
  if (nextSteps.length === 0) return [];
  const shown = verbose ? nextSteps : nextSteps.slice(0, STEPS);
  const left = nextSteps.slice(shown.length);
  const rest = left.length === 0 ? [] : [`  ${left.length} more: ${checksOf(left)} (--verbose lists them)`];
  return [
    '',
    'next, most first (docs/seams.md, docs/fixtures.md):',
    ...shown.map((step) => `  ${stepText(step)}`),
    ...rest,
  ];
}

/** `seed conformance-noop: 6 checks`, and what is untested until then. */
export function stepText(step: NextStep): string {
  const { steps, untested } = step;
  const what = escapeTerminal(steps.join(' and '));
  return `${what}: ${checksOf([step])}${untested === undefined ? '' : `, ${escapeTerminal(untested)} is untested`}`;
}

function checksOf(steps: readonly NextStep[]): string {
  const amount = steps.reduce((sum, { checks }) => sum + checks.length, 0);
  return amount === 1 ? '1 check' : `${amount} checks`;
}

/** Whether what was found before the run kept everything from being judged. */
export function isStopped({ preflight, checks }: Report): boolean {
  return preflight !== undefined && checks.every(({ reason }) => reason === preflight.message);
}

/** `2 passed, 1 failed, 2 inconclusive, 1 not applicable, 1 errors`; advice is counted apart. */
export function totalsOf(report: Report): string {
  const { pass, fail, inconclusive, notApplicable, error } = report.counts;
  const advised = report.checks.filter((check) => isAdvice(check, report)).length;
  const failed = `${fail - advised} failed${advised === 0 ? '' : `, ${advised} advice`}`;
  return `${pass} passed, ${failed}, ${inconclusive} inconclusive, ${notApplicable} not applicable, ${error} errors`;
}

/** `conformant (exit code 0)`, and what interrupted the run. */
export function verdictOf(report: Report, paint = (text: string): string => text): string {
  const { verdict, exitCode, interrupted } = report;
  return `${paint(verdict)}${interrupted === undefined ? '' : `, interrupted by ${interrupted}`} (exit code ${exitCode})`;
}

/** Totals, the verdict with what was judged and what was not, and what keeps it from being better. */
export function closingLines(report: Report, ink: ChalkInstance): readonly string[] {
  const { verdict, exitCode, unmet = [], leftOut } = report;
  const paint = verdict === 'conformant' ? ink.green : verdict === 'inconclusive' ? ink.yellow : ink.red;
  const code = unmet.length === 0 ? '' : `exit code ${exitCode}: `;
  return [
    ...(isStopped(report) ? [] : [totalsOf(report)]),
    `${verdictOf(report, (text) => ink.bold(paint(text)))}${judged(report)} · ${(report.durationMs / 1000).toFixed(1)} s`,
    ...(leftOut === undefined ? [] : [escapeTerminal(leftOut)]),
    ...unmet.map(
      ({ id, reason }) =>
        `${code}--require ${escapeTerminal(id)}: nothing of it was decided (${excerpt(reason, REASON_CHARACTERS)})`,
    ),
  ];
}

/** ` in discovery, fork-contract; not judged: handoff-state-machine (…)`: those of the run's own verdict first. */
function judged(report: Report): string {
  const { verdict, suites } = report;
  if (isStopped(report)) return ': nothing was judged';
  const others = (['error', 'non-conformant', 'inconclusive', 'conformant'] as const).filter(
    (each) => each !== verdict,
  );
  const parts = [verdict, ...others].flatMap((each) => {
    const names = suites.filter((suite) => suite.verdict === each).map(({ id }) => escapeTerminal(id));
    if (names.length === 0) return [];
    return [each === verdict ? ` in ${names.join(', ')}` : `; ${each} in ${names.join(', ')}`];
  });
  return parts.join('') + notJudged(report);
}

/** Suites that were not judged, those of one reason together. */
function notJudged({ suites, preflight }: Report): string {
  const whyNot = ({ reason = '' }: SuiteReport): string => (reason === preflight?.message ? preflight.code : reason);
  const left = suites.filter((suite) => suite.verdict === 'not-judged');
  const groups = [...new Set(left.map(whyNot))].map((reason) => {
    const names = left.filter((suite) => whyNot(suite) === reason).map(({ id }) => escapeTerminal(id));
    return `${names.join(', ')}${reason === '' ? '' : ` (${excerpt(reason, REASON_CHARACTERS)})`}`;
  });
  return groups.length === 0 ? '' : `; not judged: ${groups.join(', ')}`;
}
