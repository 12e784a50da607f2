import { wasCutShort } from '../contract/limits.ts';
import { present } from '../contract/present.ts';
import { decides, type DecidingLevel } from '../contract/requirement.ts';
import type { BaselineProblem, CheckReport, ExitCode, KnownFailure, Report } from '../contract/report.ts';
import { conclude, decidingAmong } from '../runner/verdicts.ts';
import type { Verdict } from '../contract/verdict.ts';
import { type Baseline, type BaselineEntry, isAbout, isMet, nameOf } from './baseline.ts';
import { isExpired, problemOf } from './problems.ts';

/** How the report's verdict was made. */
export interface Deciding {
  readonly level: DecidingLevel;
  readonly allowInconclusive: boolean;
}

/**
 * A report as a run with a baseline ends: what the baseline accepts is known, and the exit code says whether anything else is
 * wrong. Verdicts stay what they are. What the baseline says and is not so ends the run with 1; harness errors, hosts that
 * could not be reached or stopped answering, and interrupted runs end as they do without. The day is that on which the run
 * started. Checks that were not selected are not compared.
 */
export function applyBaseline(report: Report, baseline: Baseline, deciding: Deciding): Report {
  const uncompared = whyUncompared(report);
  const day = report.startedAt.slice(0, 10);
  const valid = baseline.known.filter((entry) => !isExpired(entry, day));
  const checks = report.checks.map((check) => accepted(check, valid, uncompared === undefined));
  const knownIds = new Set(checks.filter(isKnownFailure).map(({ id }) => id));
  const restsOnKnown = ({ verdict, known, restsOn }: CheckReport): boolean =>
    verdict === 'inconclusive' && known === undefined && restsOn !== undefined && knownIds.has(restsOn);
  const problems = uncompared === undefined ? problemsOf(checks, baseline, { day, level: deciding.level }) : [];
  const counted = decidingAmong(
    checks.filter((check) => check.known === undefined && !restsOnKnown(check)),
    deciding.level,
  );
  return {
    ...report,
    exitCode: exitCodeOf(report, counted, { ...deciding, hasProblems: problems.length > 0 }),
    checks,
    baseline: {
      known: checks.filter(({ known }) => known !== undefined).length,
      resting: checks.filter(restsOnKnown).length,
      problems,
      ...present({ uncompared }),
    },
  };
}

/** Why a run says too little to find a baseline outdated. */
export function whyUncompared(report: Report): string | undefined {
  const { interrupted, endsEarly, preflight, hostStopped, stoppedAfter, ranOutOf } = report;
  if (interrupted !== undefined) return `the run was interrupted by ${interrupted}`;
  if (ranOutOf !== undefined)
    return `the run ran out of ${ranOutOf === 'time' ? 'time (--max-time)' : 'room for its evidence'}`;
  if (endsEarly === true) return 'the evidence ends early: its last line is missing';
  if (preflight !== undefined) return `the host could not be judged (${preflight.code})`;
  if (hostStopped !== undefined) return 'the host stopped answering';
  return stoppedAfter === undefined ? undefined : 'the run was stopped after too many failures';
}

function isKnownFailure({ verdict, known }: CheckReport): boolean {
  return verdict === 'fail' && known !== undefined;
}

/** The check, with why it is accepted where an entry says so; one about the check itself before one about its requirement. */
function accepted(check: CheckReport, entries: readonly BaselineEntry[], isWhole: boolean): CheckReport {
  const { known: _before, ...plain } = check;
  if (check.verdict === 'inconclusive' && !isWhole) return plain;
  const own = entries.filter((entry) => isAbout(entry, check));
  const entry = own.find((each) => each.check !== undefined) ?? own[0];
  return entry !== undefined && isMet(entry, check) ? { ...plain, known: whyKnown(entry) } : plain;
}

function whyKnown({ reason = 'in the baseline', link, expires }: BaselineEntry): KnownFailure {
  return { reason, ...present({ link, expires }) };
}

function problemsOf(
  checks: readonly CheckReport[],
  { known, decided }: Baseline,
  { day, level }: { readonly day: string; readonly level: DecidingLevel },
): readonly BaselineProblem[] {
  const failed = new Map(checks.filter(({ verdict }) => verdict === 'fail').map((check) => [check.id, check]));
  const causeOf = ({ restsOn }: CheckReport): CheckReport | undefined => failed.get(restsOn ?? '');
  /** It rests on a failure that makes the run red by itself: one defect is counted once. */
  const isReported = (check: CheckReport): boolean => {
    const cause = causeOf(check);
    return cause !== undefined && cause.known === undefined && decides(cause.level, level);
  };
  const ofEntries = known.flatMap((entry) => {
    const own = checks.filter((check) => isAbout(entry, check) && !isOverruled(entry, check, known));
    return problemOf(entry, own, { day, isReported }) ?? [];
  });
  const named = new Set(ofEntries.map(({ name }) => name));
  const before = new Set(decided);
  const lost = checks.filter((check) => {
    const isOpen = check.verdict === 'inconclusive' || check.verdict === 'not-applicable';
    const isSaid = check.known !== undefined || named.has(check.id) || named.has(check.requirement);
    return before.has(check.id) && isOpen && !isReported(check) && !isSaid && decides(check.level, level);
  });
  const causes = new Set(lost.map((check) => causeOf(check)?.id));
  const openBy = (cause: string | undefined) => lost.filter((check) => causeOf(check)?.id === cause);
  return [...ofEntries, ...[...causes].flatMap((cause) => noLongerDecided(openBy(cause), cause))];
}

/** What was decided and is open now: one problem for all that rest on one known failure, which hides more than it did. */
function noLongerDecided(checks: readonly CheckReport[], cause: string | undefined): readonly BaselineProblem[] {
  const kind = 'no-longer-decided';
  if (cause !== undefined) {
    const ids = checks.map(({ id }) => id).join(', ');
    const message = `${cause} is known, but now it leaves open what was decided when the baseline was made: ${ids}`;
    return [{ kind, name: cause, message }];
  }
  return checks.map(({ id, verdict, reason }) => {
    const why = reason === undefined ? '' : `: ${reason}`;
    return { kind, name: id, message: `${id} was decided when the baseline was made and is ${verdict} now${why}` };
  });
}

/** Whether an entry of a requirement gives way to one about the check itself. */
function isOverruled(entry: BaselineEntry, check: CheckReport, known: readonly BaselineEntry[]): boolean {
  return entry.check === undefined && known.some((each) => each.check !== undefined && nameOf(each) === check.id);
}

function exitCodeOf(
  report: Report,
  verdicts: readonly Verdict[],
  { allowInconclusive, hasProblems }: Deciding & { readonly hasProblems: boolean },
): ExitCode {
  const isWhole = !wasCutShort(report) && (report.unmet ?? []).length === 0;
  const { exitCode } = conclude(isWhole ? verdicts : [...verdicts, 'inconclusive'], allowInconclusive && isWhole);
  return hasProblems && exitCode !== 4 ? 1 : exitCode;
}
