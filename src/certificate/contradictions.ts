import { isDeepStrictEqual } from 'node:util';
import { count, type Counts, type OverallVerdict } from '../contract/report.ts';
import type { CertifiedRun } from './statement.ts';

/** From the worst. */
const VERDICTS: readonly OverallVerdict[] = ['error', 'non-conformant', 'inconclusive', 'conformant'];
const CODES: Readonly<Record<OverallVerdict, number>> = {
  error: 4,
  'non-conformant': 1,
  inconclusive: 3,
  conformant: 0,
};

/** What a certified run says that cannot be so together, whatever the evidence shows. */
export function contradictionsIn(run: CertifiedRun): readonly string[] {
  const { verdict, exitCode, options } = run;
  const isCode =
    exitCode === CODES[verdict] ||
    (verdict === 'inconclusive' && exitCode === 0 && options['allowInconclusive'] === true);
  return [...contradictingVerdicts(run), ...(isCode ? [] : [`its exit code ${exitCode} is not that of ${verdict}`])];
}

/** The same of its verdicts and counts alone: a baseline, a lost file or a signal gives a report another exit code. */
export function contradictingVerdicts(
  run: Pick<CertifiedRun, 'verdict' | 'checks' | 'counts' | 'suites'>,
): readonly string[] {
  const { verdict, checks, counts, suites } = run;
  // A suite in which nothing passed is inconclusive, too, where all that it has is advice.
  const telling = suites.filter((suite) => suite.verdict !== 'inconclusive' || suite.counts.pass > 0);
  const worst = VERDICTS.find((each) => telling.some((suite) => suite.verdict === each));
  // A run that was cut short, or of which something required is open, is inconclusive though no suite is.
  const isVerdict = verdict === worst || (verdict === 'inconclusive' && (worst ?? 'conformant') === 'conformant');
  const wrongSuite = suites.find((suite) => !isPossible(suite));
  return [
    ...(isDeepStrictEqual(count(Object.values(checks)), { ...counts })
      ? []
      : ['its counts are not those of its checks']),
    ...(isDeepStrictEqual(sumOf(suites.map((suite) => suite.counts)), { ...counts })
      ? []
      : ['its counts are not those of its suites']),
    ...(wrongSuite === undefined ? [] : [`${wrongSuite.id} cannot be ${wrongSuite.verdict} with its counts`]),
    ...(isVerdict ? [] : [`its verdict is ${verdict}, and that of its suites ${worst ?? 'none'}`]),
  ];
}

function isPossible({ verdict, counts }: CertifiedRun['suites'][number]): boolean {
  const { pass, fail, inconclusive, error } = counts;
  switch (verdict) {
    case 'not-judged':
      return pass + fail + error === 0;
    case 'conformant':
      return pass > 0;
    case 'non-conformant':
      return fail > 0;
    case 'inconclusive':
      return inconclusive > 0 || pass === 0;
    case 'error':
      return error > 0;
  }
}

function sumOf(all: readonly Counts[]): Counts {
  const names = Object.keys(count([])) as (keyof Counts)[];
  const sums = names.map((name) => [name, all.reduce((sum, counts) => sum + counts[name], 0)]);
  return Object.fromEntries(sums) as Counts;
}
