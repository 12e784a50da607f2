import { listed } from '../contract/listed.ts';
import type { Report } from '../contract/report.ts';
import { baselineLines, isStopped, stepText, totalsOf, verdictOf } from './closing.ts';
import { escapeTerminal, factText } from './escape.ts';
import { renderMarkdown } from './markdown.ts';
import { checksOf, checksRest, factsOf, grouped, reasonOf, restingOn, whyOf } from './outcome.ts';
import type { Reporter } from './reporter.ts';

/** Annotations of a step, and its summary in Markdown. */
export const github: Reporter = { render: renderMarkdown, announce: annotate, addsTo: 'GITHUB_STEP_SUMMARY' };

type Kind = 'error' | 'warning' | 'notice';

/** GitHub shows no more of one kind from one step. */
const MOST = 10;
const VALUE_CHARACTERS = 600;
/** Checks that one annotation names. */
const NAMED = 20;

/** One annotation; nothing in it is escaped. */
interface Annotation {
  readonly kind: Kind;
  readonly title: string;
  /** A line each. */
  readonly lines: readonly string[];
}

/**
 * The commands that let GitHub's runner annotate a step: the verdict, each failed check, what is undecided by its reason, and
 * advice. At most ten of a kind, the last of which counts those that are left out.
 */
function annotate(report: Report): string {
  const all = [
    verdict(report),
    ...(isStopped(report) ? [] : [...failed(report), ...undecided(report), ...advice(report)]),
  ];
  return (['error', 'warning', 'notice'] as const)
    .flatMap((kind) => bounded(all.filter((each) => each.kind === kind)))
    .map(command)
    .join('');
}

function bounded(annotations: readonly Annotation[]): readonly Annotation[] {
  const left = annotations.length - MOST + 1;
  const [first] = annotations;
  if (left < 2 || first === undefined) return annotations;
  const more = { kind: first.kind, title: `${left} more`, lines: ['the summary and the reports have them'] };
  return [...annotations.slice(0, MOST - 1), more];
}

function verdict(report: Report): Annotation {
  const { tool, target, preflight, exitCode } = report;
  const judged = isStopped(report) ? 'nothing was judged' : totalsOf(report);
  const why = preflight === undefined ? [] : [`${preflight.code}: ${preflight.message}`];
  return {
    kind: exitCode === 0 ? 'notice' : exitCode === 3 ? 'warning' : 'error',
    title: `${tool.name} ${tool.version}: ${verdictOf(report)}`,
    lines: [target.baseUrl, ...why, judged, ...baselineLines(report)],
  };
}

function failed(report: Report): readonly Annotation[] {
  return checksOf(report, 'failed', 'broken').map((check) => {
    const on = restingOn(check, report).length;
    const resting = on === 0 ? [] : [`${checksRest(on)} on this: fix it first`];
    const facts = factsOf(check).filter(([name]) => !['requirement', 'evidence'].includes(name));
    const lines = [check.title, ...facts.map(([name, text]) => `${name}: ${text}`), ...resting];
    return { kind: 'error', title: `${check.id} (${check.level})`, lines };
  });
}

/** The next steps, those for most checks first; then the undecided checks that no step helps, by reason. Checks that rest on a failed one are left out. */
function undecided(report: Report): readonly Annotation[] {
  const helped = new Set(report.nextSteps.flatMap(({ checks }) => checks));
  const open = checksOf(report, 'undecided').filter(({ id, restsOn }) => restsOn === undefined && !helped.has(id));
  const reasons = [...grouped(open, reasonOf)].map(([title, own]) => ({ title, ids: own.map(({ id }) => id) }));
  const steps = report.nextSteps.map((step) => ({ title: stepText(step), ids: step.checks }));
  return [...steps, ...reasons].map(({ title, ids }) => ({
    kind: 'warning',
    title: 'not decided',
    lines: [title, listed(ids, NAMED)],
  }));
}

function advice(report: Report): readonly Annotation[] {
  return checksOf(report, 'advice', 'known').map((check) => ({
    kind: 'notice',
    title: `${check.id} (${check.level})`,
    lines: [check.title, whyOf(check)],
  }));
}

/** `::error title=…::…`, in which the runner takes no character for one of its own. */
function command({ kind, title, lines }: Annotation): string {
  const safe = lines.map((line) => factText(line.split(': ', 1)[0] ?? '', line, VALUE_CHARACTERS)).join('\n');
  return `::${kind} title=${asProperty(escapeTerminal(title))}::${asData(safe)}\n`;
}

function asData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function asProperty(text: string): string {
  return asData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
