import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { runOf } from '../shared/judge-run.ts';
import { undecided } from '../shared/judging.ts';
import { isDone, LIVE, type CancelObservation } from './cancel-drive.ts';
import { childrenIn, readChain } from './chain.ts';
import type { Seen } from './row.ts';
import { unwatched } from './watched.ts';

/** The judgement that is left where the child was not cancelled, or undefined. It has to be known while it runs. */
export function notCancelled(check: string, seen: Seen): Judgement | undefined {
  const run = runOf(seen, LIVE);
  const left = unwatched(check, run);
  if (left !== undefined || run === undefined) return left ?? undecided(check, 'no run was driven', []);
  const cancelled = seen.find(isCancel);
  if (childrenIn(readChain(run)).length === 0) {
    const how = 'tell childRunId in dispatch.succeeded or node.dispatched while the child runs';
    return undecided(check, `${named(run)} does not name the child that it waits for: ${how}`, [run]);
  }
  if (cancelled === undefined) return undecided(check, `the child of ${named(run)} was not cancelled`, [run]);
  if (!cancelled.waited) {
    const how = 'its log has to show interrupt.requested while it runs';
    return undecided(check, `the child ${cancelled.runId} was not seen to wait for somebody: ${how}`, [run, cancelled]);
  }
  if (!isDone(cancelled)) {
    const answer = cancelled.answered ?? 'nothing';
    return undecided(
      check,
      `POST /v1/runs/{childRunId}/cancel answered ${answer}: it has to cancel a child that waits`,
      [run, cancelled],
    );
  }
  return undefined;
}

function isCancel(each: Recorded<Observation>): each is Recorded<CancelObservation> {
  return each.type === 'cancel';
}
