import { listed } from '../contract/listed.ts';
import { findRequirement } from '../contract/requirements/index.ts';
import type { CheckReport, Report } from '../contract/report.ts';
import { baselineLines, isStopped, totalsOf, verdictOf } from './closing.ts';
import { escapePage, escapeTerminal, excerpt } from './escape.ts';
import { code, fenced, plain, tableRow } from './markdown-text.ts';
import { checksOf, checksRest, factsOf, grouped, type Outcome, reasonOf, restingOn, whyOf } from './outcome.ts';

/** What a page may hold, in bytes: GitHub takes no larger summary of a step. */
const PAGE_BYTES = 1_000_000;
/** For the line that says what is left out. */
const RESERVED_BYTES = 1_000;
const VALUE_CHARACTERS = 600;
const REASON_CHARACTERS = 1000;
/** Checks that one line names. */
const NAMED = 40;
const STEPS = 50;
const LISTED = 100;

/**
 * Renders the page in Markdown, for a pipeline's summary or a review: the verdict, a row for each suite, every failed check
 * with both sides, its cause and what rests on it, next steps, then what is undecided, known or advice. At most 1 MB: of
 * what is more, the count is told. What a host sent stands in code only, where no markup counts.
 */
export function renderMarkdown(report: Report): string {
  if (isStopped(report)) return escapePage(`${heading(report)}\n`);
  const [red, steps] = [reds(report), nextSteps(report)];
  const rest = [
    ...undecided(report),
    ...ofOutcome(report, 'known', 'Known failures'),
    ...ofOutcome(report, 'advice', 'Advice'),
  ];
  const head = [heading(report), ...suiteTable(report)];
  const fitting = fittingOf([...head, ...steps, ...red, ...rest]);
  const all = [...head, ...red, ...steps, ...rest];
  const shown = all.filter((block) => fitting.has(block));
  const lost = all.length - shown.length;
  const end = lost === 0 ? [] : [`${lost} more parts are left out: the JSON report has them.`];
  return escapePage(`${[...shown, ...end].join('\n\n')}\n`);
}

/** Those of the blocks, first things first, that the page may hold. */
function fittingOf(blocks: readonly string[]): ReadonlySet<string> {
  let left = PAGE_BYTES - RESERVED_BYTES;
  return new Set(
    blocks.filter((block) => {
      left -= Buffer.byteLength(block) + 2;
      return left >= 0;
    }),
  );
}

function heading(report: Report): string {
  const { tool, target, preflight, leftOut, unmet = [] } = report;
  const facts = [
    code(target.baseUrl),
    ...(target.implementation === null ? [] : [code(target.implementation)]),
    ...(target.executionModelVersion === null ? [] : [`execution model ${target.executionModelVersion}`]),
    ...(target.recipeAdvertised === null ? [] : [`recipe advertised ${code(target.recipeAdvertised)}`]),
    ...(target.recipeObserved === null ? [] : [`recipe observed ${code(target.recipeObserved)}`]),
  ];
  return [
    `# ${plain(tool.name)} ${plain(tool.version)}: ${verdictOf(report)}`,
    facts.join(' · '),
    ...(preflight === undefined ? [] : [`**${plain(preflight.code)}**: ${code(preflight.message, REASON_CHARACTERS)}`]),
    ...(leftOut === undefined ? [] : [code(leftOut, REASON_CHARACTERS)]),
    ...baselineLines(report).map((line) => code(line, REASON_CHARACTERS)),
    ...unmet.map(({ id, reason }) => `${code(`--require ${id}`)}: nothing of it was decided: ${code(reason)}`),
    isStopped(report) ? 'Nothing was judged.' : totalsOf(report),
  ].join('\n\n');
}

function suiteTable({ suites }: Report): string[] {
  if (suites.length === 0) return [];
  const rows = suites.map(({ id, verdict, counts, reason = '' }) => {
    const { pass, fail, inconclusive, notApplicable, error } = counts;
    const cells = [
      code(id),
      verdict,
      pass,
      fail,
      inconclusive,
      notApplicable,
      error,
      reason === '' ? '' : code(reason),
    ];
    return tableRow(cells);
  });
  const head = [
    '| suite | verdict | passed | failed | inconclusive | not applicable | errors | why not judged |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |',
  ];
  return [[...head, ...rows].join('\n')];
}

function reds(report: Report): string[] {
  const red = checksOf(report, 'failed', 'broken');
  return red.length === 0 ? [] : [`## Failed: ${red.length}`, ...red.map((check) => failure(check, report))];
}

function failure(check: CheckReport, report: Report): string {
  const clause = findRequirement(check.requirement);
  const facts: readonly (readonly [string, string])[] = [
    ...(clause === undefined ? [] : [['clause', `${clause.clause} [${clause.source}]`] as const]),
    ...factsOf(check).filter(([name]) => name !== 'requirement' && name !== 'reproduce'),
  ];
  const on = restingOn(check, report).map(({ id }) => id);
  return [
    `### ${code(check.id)} (${check.level}${check.verdict === 'error' ? ', error of the harness' : ''})`,
    plain(check.title),
    fenced(
      facts.map(([name, text]) => `${`${name}:`.padEnd(11)} ${excerpt(text, VALUE_CHARACTERS)}`).join('\n'),
      'text',
    ),
    ...(on.length === 0 ? [] : [`Fix it first: ${checksRest(on.length)} on it: ${names(on)}`]),
    ...(check.reproduce === undefined ? [] : [fenced(escapeTerminal(check.reproduce), 'sh')]),
  ].join('\n\n');
}

function nextSteps({ nextSteps: all }: Report): string[] {
  if (all.length === 0) return [];
  const lines = all.slice(0, STEPS).map(({ steps, untested, checks }) => {
    const what = `${code(steps.join(' and '))}: ${checks.length === 1 ? '1 check' : `${checks.length} checks`}`;
    return `1. ${what}${untested === undefined ? '' : `, ${code(untested)} is untested`}`;
  });
  const more = all.length > STEPS ? [`${all.length - STEPS} more.`] : [];
  return ['## Next steps', lines.join('\n'), ...more];
}

/** Inconclusive checks of one reason together; how much rests on them is counted. */
function undecided({ checks, preflight }: Report): string[] {
  const open = checks.filter(({ verdict, restsOn }) => verdict === 'inconclusive' && restsOn === undefined);
  const groups = [...grouped(open, reasonOf)].filter(([reason]) => reason !== preflight?.message);
  const lines = groups.map(([reason, own]) => {
    const ids = own.map(({ id }) => id);
    const on = checks.filter(({ restsOn }) => restsOn !== undefined && ids.includes(restsOn)).length;
    const behind = on === 0 ? '' : `; ${checksRest(on)} on it`;
    return `- ${reason === '' ? 'nothing says why' : code(reason)}: ${names(ids)}${behind}`;
  });
  return folded('Not decided, by reason', lines);
}

function ofOutcome(report: Report, outcome: Outcome, title: string): string[] {
  const lines = checksOf(report, outcome).map((check) => `- ${code(check.id)} (${check.level}): ${code(whyOf(check))}`);
  return folded(title, lines);
}

/** A list that is unfolded by who wants it. */
function folded(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > LISTED ? [`- ${lines.length - LISTED} more`] : [];
  const list = [...lines.slice(0, LISTED), ...more].join('\n');
  return [`<details><summary>${title}: ${lines.length}</summary>\n\n${list}\n\n</details>`];
}

function names(ids: readonly string[]): string {
  return listed(
    ids.map((id) => code(id)),
    NAMED,
  );
}
