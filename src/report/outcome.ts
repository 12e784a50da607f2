import { wasCutShort } from '../contract/limits.ts';
import { decides, type Level } from '../contract/requirement.ts';
import type { CheckReport, KnownFailure, Report } from '../contract/report.ts';

/**
 * What a check is for a pipeline. Red are `failed`, `undecided` (inconclusive where it decides and nobody has excused it, or
 * named by `--require` and not decided) and `broken` (the harness's own error). `known` is accepted by the baseline, failed or undecided, `advice` failed where its
 * level does not decide, `left` is inconclusive and does not decide.
 */
export type Outcome = 'passed' | 'failed' | 'undecided' | 'broken' | 'known' | 'advice' | 'left' | 'not-applicable';

/** What a check of this report is for a pipeline. */
export function outcomeOf(check: CheckReport, report: Report): Outcome {
  if (isMissed(check, report)) return 'undecided';
  if (check.known !== undefined) return 'known';
  switch (check.verdict) {
    case 'pass':
      return 'passed';
    case 'fail':
      return isAdvice(check, report) ? 'advice' : 'failed';
    case 'error':
      return 'broken';
    case 'inconclusive':
      if (restsOnKnown(check, report)) return 'left';
      return decidesIn(report, check.level) && !excusesOpen(report) ? 'undecided' : 'left';
    case 'not-applicable':
      return 'not-applicable';
  }
}

/** The checks that are one of these for a pipeline. */
export function checksOf(report: Report, ...outcomes: readonly Outcome[]): readonly CheckReport[] {
  return report.checks.filter((check) => outcomes.includes(outcomeOf(check, report)));
}

/** The checks that are left undecided for the sake of this one. */
export function restingOn({ id }: CheckReport, { checks }: Report): readonly CheckReport[] {
  return checks.filter(({ restsOn }) => restsOn === id);
}

/** `1 check rests`, `2 checks rest`. */
export function checksRest(amount: number): string {
  return amount === 1 ? '1 check rests' : `${amount} checks rest`;
}

/** What has the same key together, keys and members in their order. */
export function grouped<T>(all: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}

/** The reason why a check was not decided; '' where nothing says it. */
export function reasonOf({ reason = '' }: CheckReport): string {
  return reason;
}

/** Whether what could not be observed is excused: where something passed, and the run was whole. */
function excusesOpen(report: Report): boolean {
  const hasPassed = report.checks.some(({ verdict, level }) => verdict === 'pass' && decidesIn(report, level));
  return report.options['allowInconclusive'] === true && hasPassed && !wasCutShort(report);
}

/** Whether a check is undecided for a failure that the baseline knows. */
function restsOnKnown({ restsOn }: CheckReport, { baseline, checks }: Report): boolean {
  if (baseline === undefined || restsOn === undefined) return false;
  return checks.some(({ id, verdict, known }) => id === restsOn && verdict === 'fail' && known !== undefined);
}

/** Whether a check belongs to what has to be decided and was not. */
function isMissed({ suite, requirement }: CheckReport, { unmet = [] }: Report): boolean {
  return unmet.some(({ id }) => id === suite || id === requirement);
}

/** Why a check is what it is, in one sentence; what it rests on, or who has accepted it, first. Not escaped. */
export function whyOf(check: CheckReport): string {
  const { diagnosis, reason, actual, verdict, restsOn, known } = check;
  const seen = verdict === 'fail' ? actual : undefined;
  const why = diagnosis?.message ?? seen ?? reason ?? actual ?? verdict;
  if (known !== undefined) return `known: ${acceptedBy(known)}: ${why}`;
  return restsOn === undefined ? why : `rests on ${restsOn}: ${why}`;
}

/** Why it is accepted, where that is said and until when. Not escaped. */
export function acceptedBy({ reason, link, expires }: KnownFailure): string {
  const details = [link, expires === undefined ? undefined : `until ${expires}`].filter((each) => each !== undefined);
  return details.length === 0 ? reason : `${reason} (${details.join(', ')})`;
}

/** What a check says about itself, a name and a text each, what is not known of it left out. Not escaped. */
export function factsOf(check: CheckReport): readonly (readonly [name: string, text: string])[] {
  const { requirement, level, expected, actual, reason, restsOn, diagnosis, evidence, reproduce } = check;
  const facts = [
    ['requirement', `${requirement} (${level})`],
    ['expected', expected],
    ['actual', actual],
    ['reason', reason],
    ['rests on', restsOn],
    ['diagnosis', diagnosis && `${diagnosis.code}: ${diagnosis.message}`],
    ['evidence', evidence.join(' ')],
    ['reproduce', reproduce],
  ] as const;
  return facts.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));
}

/** Whether a failed check is advice beside the verdict, because its level does not decide in this run (readings, Verdicts). */
export function isAdvice(check: CheckReport, report: Report): boolean {
  return check.verdict === 'fail' && !decidesIn(report, check.level);
}

/** Whether checks of a level decide in this run. */
export function decidesIn({ options }: Report, level: Level): boolean {
  return decides(level, options['level'] === 'should' ? 'should' : 'must');
}
