import { fail, pass, rests, undecided, type Mismatch, type Outcome } from '../../src/contract/outcome.ts';
import { member } from '../../src/contract/discovery.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { isEnded } from '../../src/protocol/run-status.ts';
import { isSuccess, isUnknownWorkflow, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isPassedOver, PUBLIC_FIXTURES } from '../shared/first-run.ts';

import { runsOf, type SeenRun } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { answersText, type LogAnswers } from '../shared/log-answers.ts';
import { foundationBrokenBy } from '../shared/unfollowed.ts';
import type { TriedObservation } from './observation.ts';
import { wrong } from './diagnoses.ts';
import { ofType } from '../shared/of-type.ts';
import { undrivenText } from '../shared/unseen.ts';

type Tried = Recorded<TriedObservation>;

/** A run that was read to its end is enough; without one, what the host said of those that it names decides (wire-contract, Endpoints). */
export function judgeCreated(recorded: readonly Recorded<Observation>[]): Outcome {
  const runs = runsOf(recorded);
  const whole = runs.find(({ problem, snapshot }) => problem === null && isRecord(snapshot));
  if (whole !== undefined) return pass([whole]);
  const tried = ofType<TriedObservation>(recorded, 'tried');
  const pairs = tried.flatMap((each) => {
    const run = runs.find(({ role }) => role === each.role);
    return run === undefined ? [] : [{ tried: each, run }];
  });
  const readings = pairs.flatMap(({ tried: each, run }) => {
    const mismatch = unreadable(each, run);
    return mismatch === undefined ? [] : [fail(mismatch, [each, run])];
  });
  if (readings[0] !== undefined) return readings[0];
  const named = pairs.filter(({ tried: each }) => each.named);
  const refused = named.filter(({ tried: each, run }) => isRefused(each, run));
  const [first] = refused;
  if (first !== undefined && refused.length === named.length) {
    const workflows = refused.map(({ tried: each }) => each.workflowId);
    const mismatch: Mismatch = {
      expected: `201 with a runId for a run of ${first.tried.workflowId}, which the discovery document names`,
      actual: `${first.run.answered ?? ''}; ${workflows.length} workflows were tried: ${workflows.join(', ')}`,
      diagnosis: wrong('named-and-refused'),
    };
    return fail(
      mismatch,
      refused.map(({ run }) => run),
    );
  }
  const open = undecided(reasonOf(runs, tried), runs);
  const [broken] = runs.flatMap((run) => foundationBrokenBy(run) ?? []);
  return broken === undefined ? open : rests(broken, open);
}

/** A run that was made and cannot be asked for, or not be read; nothing where an answer may be another one at another time. */
function unreadable({ log, snapshot, snapshotIsObject }: Tried, run: SeenRun): Mismatch | undefined {
  if (run.runId === null) {
    if (!isSuccess(run.answered)) return undefined;
    const expected = `a runId in the answer ${run.answered ?? ''} to POST /v1/runs`;
    return { expected, actual: run.problem ?? 'none', diagnosis: wrong('no-run-id') };
  }
  if (run.problem !== null && log !== null && Object.values(log).every(isFinal)) {
    const actual = answersText({ ...log });
    return { expected: `the log of ${run.runId} in one of its ways`, actual, diagnosis: wrong('log-unreadable') };
  }
  if (run.problem !== null && run.events.length === 0 && isEnded(member(run.snapshot, 'status'))) {
    const status = String(member(run.snapshot, 'status'));
    const expected = `the events of ${run.runId}: its snapshot says ${status}`;
    return { expected, actual: 'a log without any event', diagnosis: wrong('log-empty') };
  }
  const isNone = isSuccess(snapshot) && snapshotIsObject === false;
  if (run.problem === null && (isFinal(snapshot) || isNone)) {
    const expected = `200 with a JSON object for the snapshot of ${run.runId}`;
    const actual = `${snapshot ?? ''}${isNone ? ' with a body that is no JSON object' : ''}`;
    return { expected, actual, diagnosis: wrong('snapshot-unreadable') };
  }
  return undefined;
}

/** Whether a reading was refused for good. */
function isFinal(status: LogAnswers['sse']): boolean {
  return status !== null && !isSuccess(status) && !saysNothing(status, 'action');
}

/** A workflow that needs inputs may be refused for their absence; those that need none may not. */
function isRefused({ workflowId }: Tried, { runId, answered }: SeenRun): boolean {
  if (runId !== null || answered === null || isSuccess(answered) || saysNothing(answered, 'action')) return false;
  return isPublic({ workflowId }) || answered === 404 || !isUnknownWorkflow(answered);
}

function reasonOf(runs: readonly SeenRun[], tried: readonly Tried[]): string {
  const unread = ({ role }: SeenRun): string => {
    const why = tried.find((each) => each.role === role)?.snapshotUnread;
    return `its snapshot could not be read${why === undefined ? '' : `: ${why}`}`;
  };
  const reasons = runs.map((run) => `${run.role}: ${run.problem ?? unread(run)}`);
  if (reasons.length === 0) return undrivenText('run');
  const reason = `no run was seen to its end; ${reasons.join('; ')}`;
  const isOneThere = runs.some((run) => isPublic(run) && !isPassedOver(run));
  return isOneThere ? reason : noneRan(reason);
}

/** Whether a run is of a workflow that needs nothing. */
function isPublic({ workflowId }: Pick<RunObservation, 'workflowId'>): boolean {
  return PUBLIC_FIXTURES.some((id) => id === workflowId);
}
