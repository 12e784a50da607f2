import { limitsOf, type Limited } from '../contract/limits.ts';
import type { Report } from '../contract/report.ts';

/** What of a report, or of a certificate, says what was judged. */
export type JudgedRun = Limited &
  Pick<Report, 'verdict'> & { readonly suites: readonly Pick<Report['suites'][number], 'id' | 'verdict'>[] };

/** Names that a badge holds of one list. */
const NAMED = 3;

/** `conformant in discovery, shard 1 of 3`: the verdict with what was asked for and what was left out, short enough for a badge. */
export function badgeText({ excluded = [], ...run }: JudgedRun): string {
  const limits = limitsOf({ ...run, excluded: few(excluded) }).map(({ what }) => `, ${what}`);
  return `${run.verdict}${within(few(askedIn(run)))}${limits.join('')}`;
}

/** The same with all names, and the suites of which nothing was judged. */
export function judgedText(run: JudgedRun): string {
  const limits = limitsOf(run).map(({ what, more }) => `, ${what}${more}`);
  const left = run.suites.filter(({ verdict }) => verdict === 'not-judged').map(({ id }) => id);
  const notJudged = left.length === 0 ? '' : `; not judged: ${left.join(', ')}`;
  return `${run.verdict}${within(askedIn(run))}${limits.join('')}${notJudged}`;
}

function within(names: readonly string[]): string {
  return names.length === 0 ? '' : ` in ${names.join(', ')}`;
}

/** What a run was asked for alone: suites, scenarios, requirements. Evidence may hold anything there. */
function askedIn({ options }: JudgedRun): readonly string[] {
  const names = options['lastFailed'] === true ? ['suite', 'requirements'] : ['suite', 'scenario', 'requirements'];
  const requested = names.flatMap((name): readonly unknown[] => {
    const value = options[name];
    return Array.isArray(value) ? value : [];
  });
  return requested.map((name) => (typeof name === 'string' && /^[\w.-]{1,100}$/u.test(name) ? name : '?'));
}

function few(names: readonly string[]): readonly string[] {
  const more = names.length - NAMED;
  return more > 0 ? [...names.slice(0, NAMED - 1), `${more + 1} more`] : names;
}
