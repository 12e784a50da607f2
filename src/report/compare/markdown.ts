import { escapePage } from '../escape.ts';
import { code, tableRow } from '../markdown-text.ts';
import { CHANGES, type ReportComparison, type RunFacts } from './compare-reports.ts';
import { conclusionOf, groupedByCause, KINDS, whyOf } from './words.ts';

/** Rows of one kind that the page holds. */
const MOST_ROWS = 400;

/** Renders a comparison in Markdown: the conclusion, both runs, what was asked otherwise, and a table for each kind of change. */
export function renderComparison(comparison: ReportComparison): string {
  const { before, after, settings, checks, timings } = comparison;
  const grouped = groupedByCause(checks);
  const tables = CHANGES.flatMap((change) => {
    const own = grouped.filter(({ check }) => check.change === change);
    if (own.length === 0) return [];
    const rows = own
      .slice(0, MOST_ROWS)
      .map(({ check, resting }) =>
        tableRow([
          `${code(check.id)}${resting.length === 0 ? '' : `, ${resting.length} rest on it`}`,
          check.level,
          check.before === undefined ? '' : code(whyOf(check.before)),
          check.after === undefined ? '' : code(whyOf(check.after)),
        ]),
      );
    const more = own.length > MOST_ROWS ? [`\n${own.length - MOST_ROWS} more.`] : [];
    const head = ['| check | level | before | after |', '| --- | --- | --- | --- |'];
    return [`## ${KINDS[change][0]}: ${own.length}`, [...head, ...rows].join('\n'), ...more];
  });
  const parts = [
    `# ${conclusionOf(comparison)}`,
    [
      '| | host | build | verdict | at | tool |',
      '| --- | --- | --- | --- | --- | --- |',
      run('before', before),
      run('after', after),
    ].join('\n'),
    ...settings.map((each) =>
      each.before === each.after
        ? `Neither run is whole: ${code(each.before)}.`
        : `Not the same: ${each.name} was ${code(each.before)}, is ${code(each.after)}.`,
    ),
    ...tables,
    ...(timings.length === 0 ? [] : ['## Other times, beyond noise', timings.map(timing).join('\n')]),
  ];
  return escapePage(`${parts.join('\n\n')}\n`);
}

function run(name: string, { baseUrl, implementation, verdict, startedAt, tool }: RunFacts): string {
  return tableRow([name, code(baseUrl), code(implementation ?? ''), verdict, code(startedAt), code(tool)]);
}

function timing({ scenario, beforeMs, afterMs, ratio }: ReportComparison['timings'][number]): string {
  return `- ${code(scenario)}: ${beforeMs} ms, now ${afterMs} ms (${ratio}x)`;
}
