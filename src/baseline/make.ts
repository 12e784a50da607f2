import { decides, type DecidingLevel } from '../contract/requirement.ts';
import { present } from '../contract/present.ts';
import type { CheckReport, Report } from '../contract/report.ts';
import { whyUncompared } from './apply.ts';
import { type Baseline, type BaselineEntry, isAbout, isMet, nameOf } from './baseline.ts';
import { problemOf } from './problems.ts';
import type { KnownNames } from './read.ts';

/** Why no baseline is made of a report: of a host that was not reached, or a run that was cut short, it would excuse all. */
export function whyNoBaseline(report: Report): string | undefined {
  const broken = report.checks.find(({ verdict }) => verdict === 'error');
  return broken === undefined ? whyUncompared(report) : `the harness failed in ${broken.id}`;
}

/**
 * The baseline of a host as a report shows it: an entry for each failure that decides, and for each undecided check that decides
 * and rests on none of them.
 */
export function makeBaseline({ checks }: Report, level: DecidingLevel): Baseline {
  const deciding = checks.filter((check) => decides(check.level, level));
  const failed = new Set(deciding.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const known = deciding.flatMap(({ id, verdict, diagnosis, restsOn }): readonly BaselineEntry[] => {
    if (verdict === 'fail') {
      return [{ check: id, verdict, ...present({ diagnosis: diagnosis?.code }) }];
    }
    const isOwn = verdict === 'inconclusive' && (restsOn === undefined || !failed.has(restsOn));
    return isOwn ? [{ check: id, verdict }] : [];
  });
  return { baselineVersion: 1, known, decided: decidedIn(checks) };
}

/** A baseline without the entries that a report shows to hold no longer. What they were about has to stay decided if it is. */
export function pruneBaseline(baseline: Baseline, { checks }: Report, names: KnownNames): Baseline {
  const failed = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const isReported = ({ restsOn }: CheckReport): boolean => restsOn !== undefined && failed.has(restsOn);
  const holds = (entry: BaselineEntry): boolean =>
    isNamed(entry, names) && problemOf(entry, about(entry, checks), { day: '', isReported }) === undefined;
  const dropped = baseline.known.filter((entry) => !holds(entry));
  const decided = dropped.flatMap((entry) => decidedIn(about(entry, checks)));
  return {
    baselineVersion: 1,
    known: baseline.known.filter(holds),
    decided: [...baseline.decided.filter((id) => names.checks.includes(id)), ...decided],
  };
}

/**
 * A baseline as a report shows the host now: what fails or is undecided since is added, what holds no longer is taken out. What
 * an entry says besides (reason, link, expires) stays as long as something is wrong with its check. Checks that were not selected stay as they are.
 */
export function updateBaseline(
  baseline: Baseline,
  report: Report,
  { level, names }: { readonly level: DecidingLevel; readonly names: KnownNames },
): Baseline {
  const { checks } = report;
  const kept = pruneBaseline(baseline, report, names).known;
  const fresh = makeBaseline(report, level);
  const added = fresh.known
    .filter((entry) => {
      const check = checks.find(({ id }) => id === entry.check);
      return check === undefined || !kept.some((each) => isAbout(each, check) && isMet(each, check));
    })
    .map((entry) => ({ ...entry, ...wordsOf(baseline.known.find((each) => each.check === entry.check)) }));
  const replaced = new Set(added.map(nameOf));
  const reported = new Set(checks.map(({ id }) => id));
  return {
    baselineVersion: 1,
    known: [...kept.filter((entry) => entry.check === undefined || !replaced.has(entry.check)), ...added],
    decided: [...fresh.decided, ...baseline.decided.filter((id) => !reported.has(id) && names.checks.includes(id))],
  };
}

function wordsOf({ reason, link, expires }: Partial<BaselineEntry> = {}): Partial<BaselineEntry> {
  return present({ reason, link, expires });
}

function decidedIn(checks: readonly CheckReport[]): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail').map(({ id }) => id);
}

function about(entry: BaselineEntry, checks: readonly CheckReport[]): readonly CheckReport[] {
  return checks.filter((check) => isAbout(entry, check));
}

/** Whether this version still has what an entry names. */
function isNamed({ check, requirement }: BaselineEntry, names: KnownNames): boolean {
  return check === undefined ? names.requirements.includes(requirement ?? '') : names.checks.includes(check);
}
