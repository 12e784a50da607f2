import type { Change, ComparedCheck, ReportComparison, Side } from './compare-reports.ts';

/** What a change is called, one and many, and how it is shown. */
export const KINDS: Readonly<Record<Change, readonly [words: string, sign: string, tone: Tone]>> = {
  broken: ['broken', '✗', 'bad'],
  'coverage-lost': ['not decided any more', '?', 'bad'],
  fixed: ['fixed', '✓', 'good'],
  'other-diagnosis': ['fails by another cause', '≠', 'open'],
  'coverage-gained': ['decided now, and passes', '✓', 'good'],
  new: ['only in the second run', '+', 'quiet'],
  gone: ['only in the first run', '−', 'quiet'],
};

type Tone = 'bad' | 'good' | 'open' | 'quiet';

/** The outcome in one line. Not escaped. */
export function conclusionOf({ counts, checks, exitCode }: ReportComparison): string {
  const worse = checks.filter(({ isWorse }) => isWorse).length;
  const parts = [
    `${counts.broken} broken`,
    `${counts['coverage-lost']} not decided any more`,
    `${counts.fixed} fixed`,
    `${counts['other-diagnosis']} by another cause`,
    `${counts['coverage-gained']} decided now`,
    ...(counts.new === 0 ? [] : [`${counts.new} new`]),
    ...(counts.gone === 0 ? [] : [`${counts.gone} gone`]),
    `${counts.same} as before`,
  ];
  const verdict = exitCode === 0 ? 'nothing is worse' : `${worse === 1 ? '1 check is' : `${worse} checks are`} worse`;
  return `${verdict}: ${parts.join(', ')}`;
}

/** Why a side is what it is. Not escaped. */
export function whyOf({ verdict, diagnosis, reason, actual, restsOn }: Side): string {
  const why = diagnosis === undefined ? (actual ?? reason) : `${diagnosis.code}: ${diagnosis.message}`;
  const rests = restsOn === undefined ? '' : ` (rests on ${restsOn})`;
  return `${verdict}${rests}${why === undefined ? '' : `: ${why}`}`;
}

/** A cause and the checks that were lost for its sake, beside those that stand by themselves. */
export interface Grouped {
  readonly check: ComparedCheck;
  /** Checks that are not decided any more because this one fails. */
  readonly resting: readonly ComparedCheck[];
}

/** Changes in their order; what is not decided any more for another change's sake stands under that. */
export function groupedByCause(checks: readonly ComparedCheck[]): readonly Grouped[] {
  const ids = new Set(checks.map(({ id }) => id));
  const causeOf = ({ id, after }: ComparedCheck): string | undefined =>
    after?.restsOn !== undefined && after.restsOn !== id && ids.has(after.restsOn) ? after.restsOn : undefined;
  return checks
    .filter((check) => causeOf(check) === undefined)
    .map((check) => ({ check, resting: checks.filter((each) => causeOf(each) === check.id) }));
}
