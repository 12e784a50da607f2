import { Chalk, type ChalkInstance } from 'chalk';
import { findRequirement } from '../contract/requirements/index.ts';
import type { CheckReport, Report } from '../contract/report.ts';
import type { Verdict } from '../contract/verdict.ts';
import { acceptedBy, checksOf, checksRest, factsOf, grouped, isAdvice, reasonOf, restingOn } from './outcome.ts';
import { closingLines, isStopped, nextStepLines } from './closing.ts';
import { crashLines } from './crash-lines.ts';
import { escapePage, escapeTerminal, excerpt } from './escape.ts';
import type { RenderOptions } from './reporter.ts';
import { wrapPage } from './wrap.ts';

const VALUE_CHARACTERS = 600;
/** One that names an address, what came and what to do about it. */
const MESSAGE_CHARACTERS = 1000;
const FACT_CHARACTERS = 100;
const MARKS: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  error: 'ERROR',
};

const CHECK_MARK = Math.max(...Object.values(MARKS).map(({ length }) => length));

/**
 * Renders the page for a person: who was tested, one line a suite, what could not be decided and why, every failure with
 * both sides and one command, then what to do next and the verdict, so that these are on the last screen. Plain and stable
 * where `color` is false; as wide as `width`, commands to paste excepted. With `quiet`: what is red, and the verdict.
 */
export function renderTerminal(
  report: Report,
  { color, verbose = false, quiet = false, width }: RenderOptions,
): string {
  const ink = new Chalk({ level: color ? 1 : 0 });
  const lines = quiet ? quietLines(report, ink) : allLines(report, verbose, ink);
  const page = escapePage([...lines, ''].join('\n'));
  return width === undefined ? page : wrapPage(page, width);
}

/** What is red, and the verdict with what keeps it from being better. */
function quietLines(report: Report, ink: ChalkInstance): readonly string[] {
  return [
    ...hindrances(report, ink),
    ...checksOf(report, 'failed', 'broken').flatMap((check) => [
      ...failure(check, undefined, ink),
      ...resting(check, report, false),
      '',
    ]),
    ...closingLines(report, ink),
  ];
}

function allLines(report: Report, verbose: boolean, ink: ChalkInstance): readonly string[] {
  const hindered = hindrances(report, ink);
  const head = [...heading(report), ...(hindered.length === 0 ? [] : ['', ...hindered]), ''];
  if (isStopped(report)) return [...head, ...closingLines(report, ink)];
  const wrong = report.checks.filter(
    ({ verdict, known }) => (verdict === 'fail' || verdict === 'error') && known === undefined,
  );
  return [
    ...head,
    ...suiteLines(report, verbose),
    ...crashLines(report.crashMatrix),
    ...(verbose ? [...undecided(report, 'not-applicable', ink), ...advice(report, ink)] : counted(report, ink)),
    ...undecided(report, 'inconclusive', ink),
    ...knownLines(report, verbose, ink),
    ...wrong.flatMap((check) => [
      '',
      ...failure(check, isAdvice(check, report) ? ink.yellow('advice') : undefined, ink),
      ...resting(check, report, verbose),
    ]),
    ...nextStepLines(report, verbose),
    '',
    ...closingLines(report, ink),
  ];
}

function heading(report: Report): string[] {
  const { target, tool } = report;
  const facts = [
    target.implementation === null ? undefined : excerpt(target.implementation, FACT_CHARACTERS),
    target.executionModelVersion === null ? undefined : `execution model ${target.executionModelVersion}`,
    target.recipeAdvertised === null
      ? undefined
      : `recipe advertised ${excerpt(target.recipeAdvertised, FACT_CHARACTERS)}`,
    target.recipeObserved === null ? undefined : `recipe observed ${excerpt(target.recipeObserved, FACT_CHARACTERS)}`,
  ].filter((fact) => fact !== undefined);
  const first = escapeTerminal(`${tool.name} ${tool.version}  ${target.baseUrl}`);
  return facts.length === 0 ? [first] : [first, `  ${facts.join(' · ')}`];
}

/** What keeps the host, or most of it, from being judged. */
function hindrances({ preflight, hostStopped }: Report, ink: ChalkInstance): string[] {
  const lines: string[] = [];
  if (preflight !== undefined) {
    lines.push(`${ink.yellow(preflight.code)}: ${excerpt(preflight.message, MESSAGE_CHARACTERS)}`);
  }
  if (hostStopped !== undefined) {
    const { afterRequests, checksNotReached } = hostStopped;
    const missed = checksNotReached === 1 ? '1 check was' : `${checksNotReached} checks were`;
    lines.push(ink.yellow(`the host stopped answering after ${afterRequests} requests, ${missed} not reached`));
  }
  return lines;
}

/** A line for each suite; with `verbose` one for each of its checks, too. */
function suiteLines(report: Report, verbose: boolean): string[] {
  const suites = [...new Set(report.checks.map((check) => check.suite))];
  const width = Math.max(...suites.map((suite) => suite.length));
  return suites.flatMap((suite) => {
    const checks = report.checks.filter((check) => check.suite === suite);
    const parts = (Object.keys(MARKS) as Verdict[]).flatMap((verdict) => {
      const amount = checks.filter(
        (check) => check.verdict === verdict && check.known === undefined && !isAdvice(check, report),
      ).length;
      return amount === 0 ? [] : [`${amount} ${MARKS[verdict]}`];
    });
    const known = checks.filter((check) => check.known !== undefined).length;
    if (known > 0) parts.push(`${known} known`);
    const advised = checks.filter((check) => check.known === undefined && isAdvice(check, report)).length;
    if (advised > 0) parts.push(`${advised} advice`);
    const each = checks.map((check) => `    ${MARKS[check.verdict].padEnd(CHECK_MARK)}  ${check.id}`);
    return [`  ${suite.padEnd(width)}  ${parts.join(', ')}`, ...(verbose ? each : [])];
  });
}

/** What the baseline accepts, a line each with the reason; in full where `verbose`. */
function knownLines(report: Report, verbose: boolean, ink: ChalkInstance): string[] {
  const accepted = report.checks.flatMap((check) => (check.known === undefined ? [] : [{ check, known: check.known }]));
  if (accepted.length === 0) return [];
  const lines = accepted.flatMap(({ check, known }) => {
    const why = excerpt(acceptedBy(known), VALUE_CHARACTERS);
    return verbose
      ? ['', ...failure(check, ink.yellow(`known ${MARKS[check.verdict]}`), ink), `  ${'known:'.padEnd(11)} ${why}`]
      : [`  ${check.id} (${check.verdict}): ${why}`];
  });
  return ['', `${ink.yellow('known')} (accepted by the baseline): ${accepted.length}`, ...lines];
}

function failure(check: CheckReport, mark: string | undefined, ink: ChalkInstance): string[] {
  const clause = findRequirement(check.requirement);
  const facts = factsOf(check).filter(([name]) => !['requirement', 'rests on', 'evidence', 'reproduce'].includes(name));
  return [
    `${mark ?? ink.red(ink.bold(MARKS[check.verdict]))} ${ink.bold(check.id)} (${check.level})`,
    `  ${escapeTerminal(check.title)}`,
    ...row('clause', clause && `${clause.clause} [${clause.source}]`),
    ...facts.flatMap(([name, text]) => row(name, text)),
    ...row('evidence', evidenceList(check.evidence)),
    ...(check.reproduce === undefined ? [] : [`  ${'reproduce:'.padEnd(11)} ${escapeTerminal(check.reproduce)}`]),
  ];
}

/** How many checks rest on one that failed, or that says what the host lacks, in one line; with `verbose` also which, and what was not seen of each. */
function resting(check: CheckReport, report: Report, verbose: boolean): string[] {
  const on = restingOn(check, report);
  if (on.length === 0) return [];
  const named = on.map(
    ({ id, reason }) => `    ${id}${reason === undefined ? '' : `: ${excerpt(reason, VALUE_CHARACTERS)}`}`,
  );
  const count = `  ${checksRest(on.length)} on this: fix it first`;
  return verbose ? [count, ...named] : [count];
}

function row(name: string, value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [`  ${`${name}:`.padEnd(11)} ${excerpt(value, VALUE_CHARACTERS)}`];
}

function evidenceList(ids: readonly string[]): string {
  const shown = ids.slice(0, 6).join(' ');
  return ids.length > 6 ? `${shown} … (${ids.length})` : shown;
}

/**
 * Undecided checks grouped by their reason: a dead host is one line, not thirty. What rests on a failure stands under it,
 * and what the headline keeps from being judged is not told again.
 */
function undecided(report: Report, verdict: 'inconclusive' | 'not-applicable', ink: ChalkInstance): string[] {
  const checks = report.checks.filter(
    (check) =>
      check.verdict === verdict &&
      check.known === undefined &&
      check.restsOn === undefined &&
      check.reason !== report.preflight?.message,
  );
  return [...grouped(checks, reasonOf)].flatMap(([reason, own]) => {
    const on = own.flatMap((check) => resting(check, report, false));
    const ids = own.map(({ id }) => id);
    return ['', `${ink.yellow(MARKS[verdict])}: ${excerpt(reason, VALUE_CHARACTERS)}`, ...columns(ids), ...on];
  });
}

/** How many checks do not apply, and how many passed with a note. */
function counted(report: Report, ink: ChalkInstance): string[] {
  const parts = [
    [ink.yellow(MARKS['not-applicable']), report.checks.filter(({ verdict }) => verdict === 'not-applicable').length],
    [ink.cyan('noted'), noted(report).length],
  ] as const;
  const shown = parts.flatMap(([name, amount]) => (amount === 0 ? [] : [`${name}: ${amount}`]));
  return shown.length === 0 ? [] : ['', `${shown.join(', ')} (--verbose lists them)`];
}

function columns(ids: readonly string[]): string[] {
  const lines: string[] = [];
  for (const id of ids) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + id.length < 110) lines[lines.length - 1] = `${last}, ${id}`;
    else lines.push(`  ${id}`);
  }
  return lines;
}

function noted({ checks }: Report): readonly CheckReport[] {
  return checks.filter((check) => check.verdict === 'pass' && check.reason !== undefined);
}

function advice(report: Report, ink: ChalkInstance): string[] {
  const lines = noted(report).map((check) => `  ${check.id}: ${excerpt(check.reason ?? '', VALUE_CHARACTERS)}`);
  return lines.length === 0 ? [] : ['', ink.cyan('noted:'), ...lines];
}
