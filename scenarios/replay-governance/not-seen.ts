import type { Judgement } from '../../src/contract/verdict.ts';
import { unseen } from '../shared/judge-run.ts';
import type { SeenRun } from '../shared/judging.ts';

/** The judgement that is left where a run was not seen; whether the host has to fork it is for other rows. */
export function notSeen(check: string, runs: readonly (SeenRun | undefined)[]): Judgement | undefined {
  const left = unseen(check, runs);
  if (left?.verdict !== 'fail') return left;
  return {
    check,
    verdict: 'inconclusive',
    reason: `a fork was refused: ${left.actual ?? ''}`,
    evidence: left.evidence,
  };
}
