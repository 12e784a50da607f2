import type { Judgement } from '../../src/contract/verdict.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from './run-observation.ts';

type SeenRun = Recorded<RunObservation>;

/** The run of a role, where it was recorded. */
export function runOf(
  observations: readonly Recorded<{ readonly type: string; readonly exchanges: readonly string[] }>[],
  role: string,
): SeenRun | undefined {
  return observations.find((each): each is SeenRun => each.type === 'run' && (each as SeenRun).role === role);
}

/**
 * The judgement that is left where a run that a check needs was not seen to its end, or undefined where all were. A fork
 * that an advertised mode must carry out and that was refused is a failure (readings, Fork and prefix); everything else
 * leaves the check undecided, an accepted fork without a run id too: that is for the rows about the answer to judge.
 * The failure belongs to the row about forks that work: where that one fails, this check rests on it.
 */
export function unseen(check: string, runs: readonly (SeenRun | undefined)[]): Judgement | undefined {
  for (const run of runs) {
    if (run === undefined) return { check, verdict: 'inconclusive', reason: 'a run was not driven', evidence: [] };
    if (run.problem === null) continue;
    const refused = refusedWrongly(run) ? runs.filter((each) => each !== undefined && refusedWrongly(each)) : [run];
    const evidence = refused.flatMap((each) => each?.id ?? []);
    if (refusedWrongly(run)) {
      return {
        check,
        verdict: 'fail',
        expected: `201: the host offers the mode ${run.fork?.mode ?? ''}, so this fork must work`,
        actual: `${String(run.answered)} for ${forkText(run)}`,
        restsOn: ownerOf(run),
        evidence,
      };
    }
    const reason = `the ${run.role} was not seen: ${run.problem}`;
    return { check, verdict: 'inconclusive', reason, ...(run.fork === null ? RESTS_ON_RUNS : {}), evidence };
  }
  return undefined;
}

/** A run that is no fork: where the host makes none, the row that says so carries the cause. */
const RESTS_ON_RUNS = { restsOn: 'run.created' } as const;

/** The check that says that such a fork has to work. */
function ownerOf({ fork }: RunObservation): string {
  if (fork?.mode === 'branch') return 'fork.created.branch';
  return fork?.fromSeq === null ? 'fork.created' : 'fork.created.every-sequence';
}

/** Whether a fork was refused that an advertised mode has to carry out, by an answer that says something about it. */
export function refusedWrongly({ fork, answered, runId }: RunObservation): boolean {
  if (fork?.advertised !== true || runId !== null || answered === null) return false;
  return !saysNothing(answered, 'action') && !isSuccess(answered);
}

/** A fork in words. */
export function forkText({ fork, role }: RunObservation): string {
  if (fork === null) return role;
  const from = fork.fromSeq === null ? '' : ` from sequence ${fork.fromSeq}`;
  return `${role} (mode ${fork.mode}${from} of run ${fork.sourceRunId ?? ''})`;
}
