import { fail, isOutcome, type Outcome, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { FOUNDATIONS } from './foundations.ts';
import { ofType, type Recordings } from './of-type.ts';
import { replaysAll, type RunObservation } from './run-observation.ts';
import { foundationBrokenBy, undrivenText, unobservedText } from './unobserved.ts';
import { sharedCause } from './diagnoses.ts';

/** A run as a judge sees it. */
export type RecordedRun = Recorded<RunObservation>;

/** The runs that were recorded, in the order in which they were driven. */
export function runsOf(recorded: Recordings): readonly RecordedRun[] {
  return ofType<RunObservation>(recorded, 'run');
}

/** The run of a role, where it was recorded. */
export function runOf(recorded: Recordings, role: string): RecordedRun | undefined {
  return runsOf(recorded).find((run) => run.role === role);
}

/** The runs of these roles, each seen to its end, or the outcome that is left without them. */
export function need<const Role extends string>(
  recorded: Recordings,
  ...roles: readonly Role[]
): Readonly<Record<Role, RecordedRun>> | Outcome {
  const runs = roles.map((role) => [role, runOf(recorded, role)] as const);
  const left = leftWithout(runs.map(([role, run]) => run ?? role));
  return left ?? (Object.fromEntries(runs) as Record<Role, RecordedRun>);
}

/** A source and its forks, each seen to its end. */
export interface Forked {
  readonly source: RecordedRun;
  readonly replays: readonly RecordedRun[];
}

/** The run `source` and the forks that are wanted, or the outcome that is left; one where no such fork was driven, too. */
export function needForks(
  recorded: Recordings,
  isWanted: (fork: RecordedRun) => boolean = () => true,
): Forked | Outcome {
  const replays = runsOf(recorded).filter((run) => run.fork !== null && isWanted(run));
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const left = leftWithout(replays);
  if (left !== undefined) return left;
  return replays.length === 0 ? leftUndriven('fork of it', [runs.source]) : { ...runs, replays };
}

/** What is left where the run of a role was not driven, after those before it. */
export function leftUndriven(role: string, before: readonly RecordedRun[] = []): Outcome {
  return undecided(undrivenText(role, before), before);
}

/**
 * The outcome that is left where a run that a check needs was not seen to its end, or undefined where all were. One that was not
 * driven stands there by its role. A fork
 * that an advertised mode must carry out and that was refused is a failure (readings, Fork and prefix); everything else
 * leaves the check undecided, an accepted fork without a run id too: that is for the rows about the answer to judge.
 * Each rests on the foundation that says so.
 */
export function leftWithout(wanted: readonly (RecordedRun | string)[]): Outcome | undefined {
  const runs = wanted.filter((each) => typeof each !== 'string');
  const missing = runs.find((run) => run.problem !== null);
  if (missing === undefined) {
    const role = wanted.find((each) => typeof each === 'string');
    return role === undefined ? undefined : leftUndriven(role, runs);
  }
  if (refusedWrongly(missing)) {
    const { fork } = missing;
    return fail(
      {
        diagnosis: sharedCause('fork-refused'),
        expected: `201: the host offers the mode ${fork?.mode ?? ''}, so this fork must work`,
        actual: refusedText(missing),
        restsOn: ownerOf(missing),
      },
      runs.filter(refusedWrongly),
    );
  }
  const outcome = undecided(unobservedText(missing), [missing]);
  const broken = foundationBrokenBy(missing);
  const isForkWithoutLog = broken === FOUNDATIONS.runs && missing.fork !== null;
  if (broken !== undefined && !isForkWithoutLog) return rests(broken, outcome);
  if (missing.fork === null) return rests(FOUNDATIONS.runs, outcome);
  // Accepted, and named by nothing, by an id of no run, or of one without a log: the rows about the answer say so.
  const isLost = missing.runId === null || missing.snapshot === null || missing.events.length === 0;
  if (!isSuccess(missing.answered) || !isLost) return outcome;
  return rests(missing.fork.mode === 'branch' ? FOUNDATIONS.branches : FOUNDATIONS.replays, outcome);
}

/** The check that says that such a fork has to work. */
function ownerOf(run: RunObservation): string {
  if (run.fork?.mode === 'branch') return FOUNDATIONS.branches;
  return replaysAll(run) ? FOUNDATIONS.replays : FOUNDATIONS.laterReplays;
}

/** What is left of a row where nothing was seen that it is about: what to do about it, on the owner of what was left. */
export function leftUntil(step: string, reason: string, left: Outcome): Outcome {
  const open = undecidedUntil(step, reason, []);
  return left.kind === 'rests' ? rests(left.on, open) : open;
}

/** Whether a fork was refused that an advertised mode has to carry out, by an answer that says something about it. */
export function refusedWrongly({ fork, answered, runId }: RunObservation): boolean {
  if (fork?.advertised !== true || runId !== null || answered === null) return false;
  return !saysNothing(answered, 'action') && !isSuccess(answered);
}

/** How a fork was refused, in words, and in those of the host. */
export function refusedText(refused: RunObservation): string {
  const said = refused.refusal === undefined ? '' : ` ${JSON.stringify(refused.refusal)}`;
  return `${refused.answered ?? ''}${said} for ${forkText(refused)}`;
}

/** A fork in words. */
export function forkText({ fork, role }: RunObservation): string {
  if (fork === null) return role;
  const from = fork.fromSeq === null ? '' : ` from sequence ${fork.fromSeq}`;
  return `${role} (mode ${fork.mode}${from} of run ${fork.sourceRunId ?? ''})`;
}
