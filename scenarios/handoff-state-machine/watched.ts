import type { Judgement } from '../../src/contract/verdict.ts';
import { named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import type { SeenRun } from '../shared/judging.ts';
import { LIVE } from './cancel-drive.ts';
import { RESUMED, SUSPENDED } from './suspending-drive.ts';

/** What is waited for in runs of these roles, beside their end. */
const AWAITED: ReadonlyMap<string, string> = new Map([
  [LIVE, 'an event that names the child that it waits for (childRunId, in dispatch.succeeded or node.dispatched)'],
  [SUSPENDED, 'interrupt.requested'],
  [RESUMED, 'its end after its question was answered'],
]);

/** The judgement that is left where a run was not seen as far as its judge needs it, or undefined. It says what was waited for. */
export function unwatched(check: string, run: SeenRun | undefined): Judgement | undefined {
  const left = unseen(check, [run]);
  if (left?.verdict !== 'inconclusive' || run === undefined) return left;
  const { role, runId, problem } = run;
  if (runId === null)
    return {
      ...left,
      reason: `the run to be watched (${role}) was not made: ${problem ?? ''}; POST /v1/runs has to take its workflow`,
    };
  const awaited = AWAITED.get(role) ?? 'its end';
  const how = `GET /v1/runs/{runId}/events has to show it, and run.completed, run.failed or run.cancelled when it ends`;
  return { ...left, reason: `${named(run)} did not show ${awaited}: ${problem ?? ''}; ${how}` };
}
