import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { readAgain, startRun } from '../shared/run-observation.ts';
import { cancelRun } from './cancel-run.ts';
import { childrenIn, readChain } from './chain.ts';
import { followChild } from './follow-child.ts';
import { withChildren, withHiddenEvents } from './drive.ts';
import { childNamedBy } from './transition.ts';

/** The cancellation of a child, and what it was answered. */
export interface CancelObservation extends Observation {
  readonly type: 'cancel';
  readonly runId: string;
  readonly answered: number | null;
  /** Whether the child waited for somebody by then. */
  readonly waited: boolean;
}

/** The role of a parent whose child has not been cancelled yet. */
export const LIVE = 'live handoff';

/** Starts a parent, cancels its child while that waits for somebody, and follows the parent to its end. */
export async function driveCancelled(probe: Probe, workflowId: string, role: string): Promise<readonly Observation[]> {
  const live = await startRun(probe, { workflowId, inputs: {} }, { role: LIVE, until: namesChild });
  const [childId] = childrenIn(readChain(live));
  if (live.problem !== null || childId === undefined || !canStandInPath(childId)) {
    await cancelRun(probe, live.runId);
    return [live];
  }
  const { waited, exchanges } = await waitForQuestion(probe, childId);
  const answer = await cancelRun(probe, childId);
  const cancelled: CancelObservation = {
    type: 'cancel',
    runId: childId,
    answered: answer.status,
    waited,
    exchanges: [...exchanges, ...answer.exchanges],
  };
  if (!isDone(cancelled)) {
    await cancelRun(probe, live.runId);
    return [live, cancelled];
  }
  const ended = await withHiddenEvents(probe, await readAgain(probe, live, { role }));
  return [live, cancelled, ...(await withChildren(probe, ended))];
}

function namesChild(event: RunEvent): boolean {
  return childNamedBy(event) !== undefined;
}

function isQuestion({ type }: RunEvent): boolean {
  return type === 'interrupt.requested';
}

/** Whether a cancellation was taken. */
export function isDone({ answered }: Pick<CancelObservation, 'answered'>): boolean {
  return answered !== null && answered >= 200 && answered <= 299;
}

async function waitForQuestion(
  probe: Probe,
  runId: string,
): Promise<{ readonly waited: boolean; readonly exchanges: readonly string[] }> {
  const { followed, exchanges } = await followChild(probe, runId, isQuestion);
  return { waited: followed.kind === 'reached', exchanges };
}
