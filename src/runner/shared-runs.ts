import { member } from '../contract/discovery.ts';
import type { Judgement } from '../contract/verdict.ts';
import type { Observation } from '../evidence/types.ts';
import type { RunIdAgain } from '../host/run-ids.ts';
import type { Recorded } from './scenario.ts';

/** The ids that a host gave to two runs, among what was recorded of the whole run. */
export function runIdsAgain(observations: readonly Recorded<Observation>[]): readonly Recorded<RunIdAgain>[] {
  return observations.filter((each): each is Recorded<RunIdAgain> => each.type === 'run-id-again');
}

/**
 * A verdict of a scenario in which such a run was made: it decides nothing, because what was read of the run may be of
 * either. The rows of `fork.created` fail the ids themselves.
 */
export function onSharedRun(judgement: Judgement, again: Recorded<RunIdAgain>): Judgement {
  const { check, verdict, evidence } = judgement;
  if (verdict === 'inconclusive') return { restsOn: OWN_IDS, ...judgement };
  if (verdict !== 'pass' && verdict !== 'fail') return judgement;
  const reason = `${againText(again)}: what is read of it may be of either`;
  return { check, verdict: 'inconclusive', reason, restsOn: OWN_IDS, evidence: [again.id, ...evidence] };
}

/** The same without what was read of runs whose id another run has as well, and of their forks: it may be of either. */
export function withoutShared<O extends Recorded<Observation>>(observations: readonly O[]): readonly O[] {
  const again = runIdsAgain(observations);
  if (again.length === 0) return observations;
  const shared = new Set<unknown>(again.map(({ runId }) => runId));
  const isShared = (each: O): boolean =>
    shared.has(member(each, 'runId')) || shared.has(member(member(each, 'fork'), 'sourceRunId'));
  return observations.filter((each) => each.type === 'run-id-again' || !isShared(each));
}

/** The check that each run and each fork has an id of its own. */
export const OWN_IDS = 'fork.created.own-id';

/** What happened to an id, in words. */
export function againText({ runId, exchanges }: RunIdAgain): string {
  return exchanges.length < 2
    ? `an answer names the run that was forked, ${runId}, as its fork`
    : `two answers name one run, ${runId}`;
}
