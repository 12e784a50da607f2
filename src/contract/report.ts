import type { CrashMatrix } from './crash-matrix.ts';
import type { Level } from './requirement.ts';
import type { Judgement, Verdict } from './verdict.ts';

export type OverallVerdict = 'conformant' | 'non-conformant' | 'inconclusive' | 'error';

/** 0 conformant, 1 a check failed, 2 usage, 3 inconclusive, 4 the harness failed, 129, 130, 143 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 129 | 130 | 143;

/** What is known of the host under test, from its discovery document and its keys. */
export interface TargetFacts {
  readonly implementation: string | null;
  readonly discoverySha256: string | null;
  readonly executionModelVersion: number | null;
  readonly recipeAdvertised: string | null;
  readonly recipeObserved: string | null;
}

/** A failure, or an undecided check, that somebody has accepted in a baseline. */
export interface KnownFailure {
  readonly reason: string;
  readonly link?: string;
  /** The last day, in UTC, on which it is accepted: `2027-01-31`. */
  readonly expires?: string;
}

/** How a run compares with its baseline: the exit code is made of it, the verdict is not. */
export interface BaselineReport {
  /** Checks that the baseline accepts as they are. */
  readonly known: number;
  /** Undecided checks that rest on a known failure, and are not counted against the run. */
  readonly resting: number;
  /** What the baseline says and is not so: each ends the run with exit code 1. */
  readonly problems: readonly BaselineProblem[];
  /** Why the run was not compared as a whole: only failures that are known count as such. */
  readonly uncompared?: string;
}

/** One thing that a baseline says and is not so. */
export interface BaselineProblem {
  readonly kind:
    | 'expired'
    | 'passes'
    | 'fails'
    | 'other-diagnosis'
    | 'undecided'
    | 'not-applicable'
    | 'no-longer-decided';
  /** The check or requirement that the entry names. */
  readonly name: string;
  readonly message: string;
}

/** A judgement in its row; `restsOn` is a check that failed, or that says what the host lacks. */
export interface CheckReport extends Omit<Judgement, 'check' | 'steps' | 'further'> {
  readonly id: string;
  readonly suite: string;
  readonly scenario: string;
  readonly requirement: string;
  readonly level: Level;
  readonly title: string;
  /** Why the failure is known and accepted, and where that is said. */
  readonly known?: KnownFailure;
  readonly reproduce?: string;
  readonly further?: readonly Shown[];
  readonly durationMs: number;
}

/** What is said of a failure, and how to see it again. */
export type Shown = Pick<CheckReport, 'expected' | 'actual' | 'reason' | 'diagnosis' | 'evidence' | 'reproduce'> &
  Pick<CheckReport, 'places' | 'apart' | 'differs'>;

export interface RequirementReport {
  readonly id: string;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly checks: readonly string[];
}

/** One thing to do next, and the checks that it lets be decided where what stands before it was done. */
export interface NextStep {
  /** In the imperative: `seed conformance-noop`, or several of these that only together help. */
  readonly steps: readonly string[];
  readonly untested?: string;
  readonly checks: readonly string[];
}

/** What became of a suite: its deciding checks in one word, or `not-judged` where none of its checks passed or failed. */
export interface SuiteReport {
  readonly id: string;
  readonly verdict: OverallVerdict | 'not-judged';
  readonly counts: Counts;
  /** Why nothing was judged. */
  readonly reason?: string;
}

/** What `--require` named and nothing was decided of. */
export interface Unmet {
  /** A suite's or a requirement's id. */
  readonly id: string;
  readonly reason: string;
}

/** How many checks gave each verdict; a failed one that is only advice is counted among those that failed. */
export interface Counts {
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
  readonly notApplicable: number;
  readonly error: number;
}

/** The public report (schemas/report.schema.json). */
export interface Report {
  readonly reportVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly target: { readonly baseUrl: string } & TargetFacts;
  readonly options: Readonly<Record<string, unknown>>;
  readonly verdict: OverallVerdict;
  readonly exitCode: ExitCode;
  /** The signal that ended the run early: what was not driven by then is inconclusive. */
  readonly interrupted?: 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'AbortSignal';
  /** The evidence was cut off: its last line is missing. */
  readonly endsEarly?: true;
  /** What the run could not write, a line each: it costs exit code 4, never the verdict. */
  readonly lost?: readonly string[];
  readonly counts: Counts;
  readonly suites: readonly SuiteReport[];
  /** What kept the host, or all but its discovery document, from being judged, with what to do about it. */
  readonly preflight?: { readonly code: string; readonly message: string };
  /** Where the host answered at first, and then nothing any more: how many requests before that, and what is undecided since. */
  readonly hostStopped?: { readonly afterRequests: number; readonly checksNotReached: number };
  /** What `--require` named and nothing was decided of: the run is not conformant without. */
  readonly unmet?: readonly Unmet[];
  /** How the run compares with its baseline. */
  readonly baseline?: BaselineReport;
  /** What `--exclude` named: suites, scenarios, requirements or checks that were not judged. */
  readonly excluded?: readonly string[];
  /** Where `--max-failures` ended the run: the failures until then, and the checks that were not reached. */
  readonly stoppedAfter?: { readonly failures: number; readonly checksNotReached: number };
  /** What was used up before all was driven: the time of `--max-time`, or the room for evidence. */
  readonly ranOutOf?: 'time' | 'evidence';
  /** What was left out as a whole, and what the host would have to advertise. */
  readonly leftOut?: string;
  /** What to do next, in order of what it unlocks. */
  readonly nextSteps: readonly NextStep[];
  readonly requirements: readonly RequirementReport[];
  readonly checks: readonly CheckReport[];
  /** Where a suite put the host through crashes. */
  readonly crashMatrix?: CrashMatrix;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** How many checks gave each verdict; a word that is none counts nowhere. */
export function count(verdicts: readonly string[]): Counts {
  const of = (verdict: Verdict): number => verdicts.filter((each) => each === verdict).length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    inconclusive: of('inconclusive'),
    notApplicable: of('not-applicable'),
    error: of('error'),
  };
}
