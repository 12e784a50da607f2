import { Chalk } from 'chalk';
import { listed } from '../../contract/listed.ts';
import { excerpt } from '../escape.ts';
import { CHANGES, type ReportComparison, type RunFacts, type Side } from './compare-reports.ts';
import { conclusionOf, groupedByCause, KINDS, whyOf } from './words.ts';

const TEXT_CHARACTERS = 300;
const NAMED = 8;

/** Renders a comparison for a terminal: both runs, what was asked otherwise, changes by their kind, the worst first, and the conclusion. */
export function renderComparison(comparison: ReportComparison, { color }: { readonly color: boolean }): string {
  const ink = new Chalk({ level: color ? 1 : 0 });
  const { before, after, settings, checks, timings } = comparison;
  const inks = { bad: ink.red, good: ink.green, open: ink.yellow, quiet: ink.dim };
  const grouped = groupedByCause(checks);
  const lines = CHANGES.flatMap((change) => {
    const own = grouped.filter(({ check }) => check.change === change);
    if (own.length === 0) return [];
    const [words, , tone] = KINDS[change];
    return [
      '',
      ink.bold(`${words}:`),
      ...own.flatMap(({ check, resting }) => [
        `  ${inks[tone](safe(check.id))} (${check.level})${check.isWorse || tone !== 'bad' ? '' : ', advice'}`,
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
