import type { ChalkInstance } from 'chalk';
import { limitsOf, wasCutShort } from '../contract/limits.ts';
import type { NextStep, Report, SuiteReport } from '../contract/report.ts';
import { checksRest, decidesIn, grouped, isAdvice } from './outcome.ts';
import { escapeTerminal, excerpt } from './escape.ts';

/** Next steps that a page lists where nobody wants all. */
const STEPS = 12;
const REASON_CHARACTERS = 120;
const PROBLEM_CHARACTERS = 400;

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

/** `2 passed, 1 failed, 2 inconclusive, 1 not applicable, 1 errors`; advice and what is known are counted apart. */
export function totalsOf(report: Report): string {
  const { pass, fail, inconclusive, notApplicable, error } = report.counts;
  const known = report.checks.filter((check) => check.known !== undefined);
  const knownFailed = known.filter(({ verdict }) => verdict === 'fail').length;
  const advised = report.checks.filter((check) => check.known === undefined && isAdvice(check, report)).length;
  const apart = `${advised === 0 ? '' : `, ${advised} advice`}${known.length === 0 ? '' : `, ${known.length} known`}`;
  const failed = `${fail - advised - knownFailed} failed${apart}`;
  const undecided = inconclusive - (known.length - knownFailed);
  return `${pass} passed, ${failed}, ${undecided} inconclusive, ${notApplicable} not applicable, ${error} errors`;
}

/** `conformant (exit code 0)`, with what makes it less than that of a whole run. */
export function verdictOf(report: Report, paint = (text: string): string => text): string {
  const { verdict, exitCode } = report;
  return `${paint(verdict)}${asKnown(report)}${notWhole(report)} (exit code ${exitCode})`;
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
    ...baselineLines(report),
    ...unmet.map(
      ({ id, reason }) =>
        `${code}--require ${escapeTerminal(id)}: nothing of it was decided (${excerpt(reason, REASON_CHARACTERS)})`,
    ),
  ];
}

/** What the exit code says beside the verdict, where a baseline accepts what the host lacks. */
function asKnown({ verdict, exitCode, baseline }: Report): string {
  return baseline !== undefined && exitCode === 0 && verdict !== 'conformant'
    ? ', nothing but what the baseline knows'
    : '';
}

/** What was not looked at: never a silent green. */
function notWhole(report: Report): string {
  const { checks } = report;
  const isAdviceAlone = checks.length > 0 && checks.every(({ level }) => !decidesIn(report, level));
  const advice = isAdviceAlone ? ', no MUST row was asked for (--level should lets others decide)' : '';
  return (
    advice +
    limitsOf(report)
      .map(({ what, more }) => `, ${escapeTerminal(what)}${more}`)
      .join('')
  );
}

/** What ended the run before all was driven; undefined where nothing did. Not escaped. */
export function cutShort(report: Report): string | undefined {
  if (!wasCutShort(report)) return undefined;
  const limits = limitsOf(report).map(({ what, more }) => what + more);
  return `the run is not whole: ${limits.join(', ')}`;
}

/** What the baseline says and is not so, a line each. */
export function baselineLines({ baseline, exitCode }: Report): readonly string[] {
  if (baseline === undefined) return [];
  const { problems, uncompared, resting } = baseline;
  return [
    ...(resting === 0 ? [] : [`${checksRest(resting)} on known failures`]),
    ...(uncompared === undefined ? [] : [`not compared with the baseline: ${escapeTerminal(uncompared)}`]),
    ...problems.map(({ message }) => `exit code ${exitCode}: baseline: ${excerpt(message, PROBLEM_CHARACTERS)}`),
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
  const groups = [...grouped(left, whyNot)].map(([reason, own]) => {
    const names = own.map(({ id }) => escapeTerminal(id));
    return `${names.join(', ')}${reason === '' ? '' : ` (${excerpt(reason, REASON_CHARACTERS)})`}`;
  });
  return groups.length === 0 ? '' : `; not judged: ${groups.join(', ')}`;
}
