import { Chalk } from 'chalk';
import { listed } from '../../contract/listed.ts';
import { excerpt } from '../escape.ts';
import { CHANGES, type Change, type ReportComparison, type RunFacts, type Side } from './compare-reports.ts';
import { conclusionOf, groupedByCause, whyOf, WORDS } from './words.ts';

const TEXT_CHARACTERS = 300;
const NAMED = 8;

/** Renders a comparison for a terminal: both runs, what was asked otherwise, changes by their kind, the worst first, and the conclusion. */
export function renderComparison(comparison: ReportComparison, { color }: { readonly color: boolean }): string {
  const ink = new Chalk({ level: color ? 1 : 0 });
  const { before, after, settings, checks, timings } = comparison;
  const paint: Readonly<Record<Change, (text: string) => string>> = {
    broken: ink.red,
    'coverage-lost': ink.red,
    fixed: ink.green,
    'other-diagnosis': ink.yellow,
    'coverage-gained': ink.green,
    new: ink.dim,
    gone: ink.dim,
  };
  const grouped = groupedByCause(checks);
  const lines = CHANGES.flatMap((change) => {
    const own = grouped.filter(({ check }) => check.change === change);
    if (own.length === 0) return [];
    return [
      '',
      ink.bold(`${WORDS[change]}:`),
      ...own.flatMap(({ check, resting }) => [
        `  ${paint[change](safe(check.id))} (${check.level})${check.isWorse || !WORSE.has(change) ? '' : ', advice'}`,
        ...side('before', check.before),
        ...side('after', check.after),
        ...(resting.length === 0
          ? []
          : [
              `    rests on it: ${listed(
                resting.map(({ id }) => safe(id)),
                NAMED,
              )}`,
            ]),
      ]),
    ];
  });
  return [
    `before  ${run(before)}`,
    `after   ${run(after)}`,
    ...settings.map((each) =>
      ink.yellow(
        each.before === each.after
          ? `neither run is whole: ${safe(each.before)}`
          : `not the same: ${each.name} was ${safe(each.before)}, is ${safe(each.after)}`,
      ),
    ),
    ...lines,
    ...(timings.length === 0 ? [] : ['', 'other times, beyond noise:']),
    ...timings.map(
      ({ scenario, beforeMs, afterMs, ratio }) => `  ${safe(scenario)}: ${beforeMs} ms, now ${afterMs} ms (${ratio}x)`,
    ),
    '',
    (comparison.exitCode === 0 ? ink.green : ink.red)(`${conclusionOf(comparison)} (exit code ${comparison.exitCode})`),
    '',
  ].join('\n');
}

const WORSE: ReadonlySet<Change> = new Set(['broken', 'coverage-lost']);

function side(name: string, shown: Side | undefined): readonly string[] {
  return shown === undefined ? [] : [`    ${`${name}:`.padEnd(7)} ${safe(whyOf(shown))}`];
}

function run({ baseUrl, implementation, verdict, startedAt, tool }: RunFacts): string {
  return [baseUrl, ...(implementation === null ? [] : [implementation]), verdict, startedAt, tool]
    .map(safe)
    .join(' · ');
}

function safe(text: string): string {
  return excerpt(text, TEXT_CHARACTERS);
}
