import { listed } from '../contract/listed.ts';
import type { Level } from '../contract/requirement.ts';
import { findRequirement } from '../contract/requirements/index.ts';
import type { CheckReport, Report } from '../contract/report.ts';
import { totalsOf, verdictOf } from './closing.ts';
import { escapeJson, excerpt, factText } from './escape.ts';
import { checksOf, factsOf, grouped, type Outcome, outcomeOf, restingOn } from './outcome.ts';

/** What a page of help is found by: a file of this package, wherever it is installed. */
const HELP_URI = 'pkg:npm/openwop-conformance#docs/requirements.md';
const SCHEMA_URI = 'https://json.schemastore.org/sarif-2.1.0.json';
/** A host has no files: what is wrong is what it advertises, whose place on the host this is. */
const ADVERTISEMENT = '.well-known/openwop';
const VALUE_CHARACTERS = 600;
/** Checks that one notification names. */
const NAMED = 40;

const LEVELS: Readonly<Record<Level, 'error' | 'warning' | 'note'>> = { MUST: 'error', SHOULD: 'warning', MAY: 'note' };

/**
 * Renders SARIF 2.1.0: each requirement that was met with is a rule, each failed check a result with a fingerprint that is the
 * same in each run; a known failure is suppressed, advice is a warning or a note. Passed checks are no results. What is not
 * decided and the harness's own errors are notifications, since nothing is known of the host by them.
 */
export function renderSarif(report: Report): string {
  const rules = [...new Set(report.checks.map(({ requirement }) => requirement))];
  const results = report.checks.flatMap((check) => resultOf(check, report, rules));
  const run = {
    tool: {
      driver: {
        name: shown(report.tool.name),
        version: shown(report.tool.version),
        rules: rules.map((id) => rule(id, report)),
      },
    },
    invocations: [invocation(report)],
    columnKind: 'utf16CodeUnits',
    properties: {
      target: shown(report.target.baseUrl),
      verdict: report.verdict,
      totals: totalsOf(report),
    },
    results,
  };
  return `${escapeJson(JSON.stringify({ $schema: SCHEMA_URI, version: '2.1.0', runs: [run] }, null, 2))}\n`;
}

function rule(id: string, { checks }: Report): object {
  const requirement = findRequirement(id);
  const own = checks.filter((check) => check.requirement === id);
  const [first] = own;
  const level = requirement?.level ?? first?.level ?? 'MUST';
  const text = shown(requirement?.clause ?? first?.title ?? id);
  const lines = [
    `${level}: ${text}`,
    ...(requirement === undefined ? [] : [`Source: ${requirement.source}`]),
    `Checks: ${own.map((check) => shown(check.id)).join(', ')}`,
    `More: npx openwop-conformance explain ${shown(id)}`,
  ];
  return {
    id: shown(id),
    shortDescription: { text },
    fullDescription: { text },
    help: { text: lines.join('\n') },
    helpUri: HELP_URI,
    defaultConfiguration: { level: LEVELS[level] },
    properties: { tags: [shown(requirement?.suite ?? first?.suite ?? ''), level] },
  };
}

const RESULTS: readonly Outcome[] = ['failed', 'known', 'advice'];

function resultOf(check: CheckReport, report: Report, rules: readonly string[]): readonly object[] {
  const outcome = outcomeOf(check, report);
  if (check.verdict !== 'fail' || !RESULTS.includes(outcome)) return [];
  const rests = restingOn(check, report).map(({ id }) => shown(id));
  const result = {
    ruleId: shown(check.requirement),
    ruleIndex: rules.indexOf(check.requirement),
    kind: 'fail',
    level: outcome === 'advice' ? LEVELS[check.level] : 'error',
    message: { text: messageOf(check) },
    locations: [locationOf(check)],
    partialFingerprints: fingerprintsOf(check),
    ...suppression(check),
    properties: {
      check: shown(check.id),
      scenario: shown(check.scenario),
      evidence: check.evidence.map(shown),
      ...(rests.length === 0 ? {} : { rests }),
    },
  };
  return [result];
}

/** The check's title, then what it says about itself. No link can be made of it: viewers take `[text](target)` for one. */
function messageOf(check: CheckReport): string {
  const facts = factsOf(check).filter(([name]) => name !== 'requirement' && name !== 'evidence');
  return [
    `${shown(check.id)}: ${shown(check.title)}`,
    ...facts.map(([name, text]) => `${name}: ${factText(name, text, VALUE_CHARACTERS)}`),
  ]
    .join('\n')
    .replaceAll('](', '] (');
}

function locationOf({ id, suite }: CheckReport): object {
  return {
    physicalLocation: { artifactLocation: { uri: ADVERTISEMENT }, region: { startLine: 1 } },
    logicalLocations: [{ name: shown(id), fullyQualifiedName: `${shown(suite)}/${shown(id)}` }],
  };
}

/** The check alone: not what the host answered, nor when. The second one is what GitHub goes by. */
function fingerprintsOf({ id }: CheckReport): object {
  return { 'check/v1': shown(id), primaryLocationLineHash: `${shown(id)}:1` };
}

/** Where one result of a run says whether it is suppressed, all have to. */
function suppression({ known }: CheckReport): object {
  if (known === undefined) return { suppressions: [] };
  const { reason, link } = known;
  const suppressions = [{ kind: 'external', status: 'accepted', justification: shown(reason) }];
  const isAddress = link !== undefined && /^https?:/u.test(link) && URL.canParse(link);
  return { suppressions, ...(isAddress ? { workItemUris: [new URL(link).href] } : {}) };
}

function invocation(report: Report): object {
  const start = new Date(report.startedAt);
  const { durationMs, verdict, exitCode } = report;
  const cut = [report.interrupted, report.endsEarly, report.ranOutOf, report.stoppedAfter, report.lost];
  const end = new Date(start.getTime() + durationMs);
  const times = Number.isNaN(end.getTime()) ? {} : { startTimeUtc: start.toISOString(), endTimeUtc: end.toISOString() };
  return {
    executionSuccessful: verdict !== 'error' && cut.every((each) => each === undefined),
    exitCode,
    exitCodeDescription: verdictOf(report),
    ...times,
    toolExecutionNotifications: [...hindrances(report), ...broken(report), ...undecided(report)],
  };
}

/** What is wrong beside the checks: nothing could be judged, a gate is not met, or the baseline says what is not so. */
function hindrances({ preflight, unmet = [], baseline }: Report): readonly object[] {
  return [
    ...(preflight === undefined ? [] : [notification('error', `${preflight.code}: ${preflight.message}`)]),
    ...(baseline?.problems ?? []).map(({ message }) => notification('error', `baseline: ${message}`)),
    ...unmet.map(({ id, reason }) => notification('error', `--require ${id}: nothing of it was decided: ${reason}`)),
  ];
}

function broken(report: Report): readonly object[] {
  return checksOf(report, 'broken').map(({ id, reason = '' }) =>
    notification('error', `${id}: error of the harness: ${reason}`),
  );
}

function cause({ restsOn, reason = '' }: CheckReport): string {
  return restsOn === undefined ? reason : `rests on ${restsOn}`;
}

/** Checks that decide and were not decided, those of one reason together. */
function undecided(report: Report): readonly object[] {
  return [...grouped(checksOf(report, 'undecided'), cause)].map(([reason, own]) => {
    const ids = own.map(({ id }) => shown(id));
    return notification('warning', `not decided: ${reason}`, `: ${listed(ids, NAMED)}`);
  });
}

function notification(level: 'error' | 'warning', text: string, more = ''): object {
  return { level, message: { text: `${shown(text)}${more}`.replaceAll('](', '] (') } };
}

function shown(text: string): string {
  return excerpt(text, VALUE_CHARACTERS);
}
