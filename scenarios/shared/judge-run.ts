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
 */
export function unseen(check: string, runs: readonly (SeenRun | undefined)[]): Judgement | undefined {
  for (const run of runs) {
    if (run === undefined) return { check, verdict: 'inconclusive', reason: 'a run was not driven', evidence: [] };
    if (run.problem === null) continue;
    const evidence = [run.id];
    if (refusedWrongly(run)) {
      return {
        check,
        verdict: 'fail',
        expected: `201: the host offers the mode ${run.fork?.mode ?? ''}, so this fork must work`,
        actual: `${String(run.answered)} for ${forkText(run)}`,
        evidence,
      };
    }
    return { check, verdict: 'inconclusive', reason: `the ${run.role} was not seen: ${run.problem}`, evidence };
  }
  return undefined;
}

function refusedWrongly({ fork, answered, runId }: RunObservation): boolean {
  if (fork?.advertised !== true || runId !== null || answered === null) return false;
  return !saysNothing(answered, 'action') && !isSuccess(answered);
}

/** A fork in words. */
function forkText({ fork, role }: RunObservation): string {
  if (fork === null) return role;
  const from = fork.fromSeq === null ? '' : ` from sequence ${fork.fromSeq}`;
  return `${role} (mode ${fork.mode}${from} of run ${fork.sourceRunId ?? ''})`;
}
