import { limitsOf } from '../../contract/limits.ts';
import { present } from '../../contract/present.ts';
import type { CheckReport, Report } from '../../contract/report.ts';
import { decidesIn } from '../outcome.ts';
import { type Timing, timingsBeyondNoise } from './timings.ts';

/** What became of a check between two runs. */
export const CHANGES = [
  /** It fails, and did not before. */
  'broken',
  /** It was decided, and is not any more. */
  'coverage-lost',
  /** It failed, and passes. */
  'fixed',
  /** It fails as before, by another cause. */
  'other-diagnosis',
  /** It was not decided, and passes. */
  'coverage-gained',
  /** Only the second run has it. */
  'new',
  /** Only the first run has it. */
  'gone',
] as const;

export type Change = (typeof CHANGES)[number];

/** A check in one of the two runs. */
export type Side = Pick<CheckReport, 'verdict' | 'reason' | 'actual' | 'diagnosis' | 'restsOn'>;

/** A check whose verdict is another one, or whose cause is. */
export interface ComparedCheck {
  readonly id: string;
  readonly suite: string;
  readonly requirement: string;
  readonly level: CheckReport['level'];
  readonly change: Change;
  /** Whether it makes the second run worse than the first: it broke or was lost, and its level decides. */
  readonly isWorse: boolean;
  readonly before?: Side;
  readonly after?: Side;
}

/** Something that both runs were not asked alike: what differs may come from that, not from the host. */
export interface Setting {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Two runs compared (schemas/comparison.schema.json). */
export interface ReportComparison {
  readonly comparisonVersion: 1;
  readonly before: RunFacts;
  readonly after: RunFacts;
  /** 0 where nothing is worse, 1 otherwise. */
  readonly exitCode: 0 | 1;
  readonly counts: Readonly<Record<Change | 'same', number>>;
  /** What was asked otherwise, or by another version of the tool; first, that one or both of the runs are not whole. */
  readonly settings: readonly Setting[];
  /** What changed, the worst first, in the order of the suites. */
  readonly checks: readonly ComparedCheck[];
  /** Scenarios that took much longer or shorter than the others let expect: never a reason to fail. */
  readonly timings: readonly Timing[];
}

/** One of the runs. */
export interface RunFacts {
  readonly baseUrl: string;
  readonly implementation: string | null;
  readonly verdict: Report['verdict'];
  readonly exitCode: Report['exitCode'];
  readonly startedAt: string;
  readonly tool: string;
}

/**
 * Compares the reports of two runs, of two hosts or of one at two times, check by check. Pure. A failure that rests on another one is undecided in
 * both and counts as such; so does what does not apply.
 */
export function compareReports(before: Report, after: Report): ReportComparison {
  const [first, second] = [byId(before), byId(after)];
  const ids = [...new Set([...first.keys(), ...second.keys()])];
  const checks = ids.flatMap((id) => compared(first.get(id), second.get(id), after) ?? []);
  const counts: Record<Change | 'same', number> = {
    ...(Object.fromEntries(CHANGES.map((change) => [change, 0])) as Record<Change, number>),
    same: ids.length - checks.length,
  };
  for (const { change } of checks) counts[change] += 1;
  return {
    comparisonVersion: 1,
    before: factsOf(before),
    after: factsOf(after),
    exitCode: checks.some(({ isWorse }) => isWorse) ? 1 : 0,
    counts,
    settings: settingsOf(before, after),
    checks: checks.toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change)),
    timings: timingsBeyondNoise(before, after),
  };
}

function byId({ checks }: Report): ReadonlyMap<string, CheckReport> {
  return new Map(checks.map((check) => [check.id, check]));
}

function compared(
  before: CheckReport | undefined,
  after: CheckReport | undefined,
  report: Report,
): ComparedCheck | undefined {
  const check = after ?? before;
  const change = changeBetween(before, after);
  if (check === undefined || change === undefined) return undefined;
  const { id, suite, requirement, level } = check;
  const isWorse = (change === 'broken' || change === 'coverage-lost') && decidesIn(report, level);
  return {
    id,
    suite,
    requirement,
    level,
    change,
    isWorse,
    ...present({ before: before && sideOf(before), after: after && sideOf(after) }),
  };
}

function changeBetween(before: CheckReport | undefined, after: CheckReport | undefined): Change | undefined {
  if (before === undefined) return after === undefined ? undefined : 'new';
  if (after === undefined) return 'gone';
  const [was, is] = [stateOf(before), stateOf(after)];
  if (was === is) return was === 'red' && codeOf(before) !== codeOf(after) ? 'other-diagnosis' : undefined;
  if (is === 'red') return 'broken';
  if (is === 'open') return 'coverage-lost';
  return was === 'red' ? 'fixed' : 'coverage-gained';
}

function stateOf({ verdict }: CheckReport): 'green' | 'red' | 'open' {
  if (verdict === 'pass') return 'green';
  return verdict === 'fail' || verdict === 'error' ? 'red' : 'open';
}

function codeOf({ verdict, diagnosis }: CheckReport): string {
  return `${verdict} ${diagnosis?.code ?? ''}`;
}

function sideOf({ verdict, reason, actual, diagnosis, restsOn }: CheckReport): Side {
  return { verdict, ...present({ reason, actual, diagnosis, restsOn }) };
}

function factsOf({ target, verdict, exitCode, startedAt, tool }: Report): RunFacts {
  const { baseUrl, implementation } = target;
  return { baseUrl, implementation, verdict, exitCode, startedAt, tool: `${tool.name} ${tool.version}` };
}

/** Options that change what is driven or what decides. */
const ASKED = [
  'seed',
  'vectors',
  'forks',
  'sweep',
  'workflows',
  'crash',
  'recipe',
  'level',
  'suite',
  'scenario',
  'requirements',
  'exclude',
  'volatile',
  'otel',
] as const;

function settingsOf(before: Report, after: Report): readonly Setting[] {
  const requested = ASKED.map((name) => ({
    name,
    before: shown(before.options[name]),
    after: shown(after.options[name]),
  }));
  const run = { name: 'run', before: partOf(before), after: partOf(after) };
  const all = [{ name: 'tool', before: before.tool.version, after: after.tool.version }, ...requested];
  const isWhole = run.before === WHOLE && run.after === WHOLE;
  return [...(isWhole ? [] : [run]), ...all.filter((setting) => setting.before !== setting.after)];
}

const WHOLE = 'whole';

/** How much of a run there is; what was excluded stands by itself. */
function partOf(report: Report): string {
  return (
    limitsOf({ ...report, excluded: [] })
      .map(({ what }) => what)
      .join(', ') || WHOLE
  );
}

function shown(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
