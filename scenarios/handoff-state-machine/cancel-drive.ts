import type { Observation } from '../../src/evidence/types.ts';
import { pause } from '../../src/host/pause.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { cancelRun } from './cancel-run.ts';
import { childrenIn, readChain } from './chain.ts';
import { followChild } from './follow-child.ts';
import { withChildren, withHiddenEvents } from './drive.ts';
import { childNamedBy, readDecision, readTransition } from './transition.ts';

/** The cancellation of a child, and what it was answered. */
export interface CancelObservation extends Observation {
  readonly type: 'cancel';
  readonly runId: string;
  readonly answered: number | null;
  /** Whether the child waited for somebody by then. */
  readonly waited: boolean;
}

/** The role of a parent whose child has not been cancelled yet. */
export const LIVE = 'waiting parent';

/** Starts a parent, cancels its child while that waits for somebody, and follows the parent to its end. */
export async function driveCancelled(probe: Probe, workflowId: string, role: string): Promise<readonly Observation[]> {
  const live = await driveLive(probe, workflowId);
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

/** A part of an exchange's time in which a parent that has begun to dispatch has to name the child. */
const PATIENCE = 0.5;

/**
 * Starts a parent and watches it until its log names its child. A log that shows the dispatch and names no child for a
 * while will not do so before the child's end, which is not waited for: the parent is cancelled, and given as it was.
 */
async function driveLive(probe: Probe, workflowId: string): Promise<RunObservation> {
  const until = (event: RunEvent): boolean => namesChild(event) || isDispatch(event);
  const begun = await startRun(probe, { workflowId, inputs: {} }, { role: LIVE, until });
  if (begun.problem !== null || childrenIn(readChain(begun)).length > 0) return begun;
  const settled = new AbortController();
  const patience = pause(probe.timeoutMs * PATIENCE, AbortSignal.any([probe.signal, settled.signal]));
  const reading = readAgain(probe, begun, { role: LIVE, until: namesChild });
  const soon = await Promise.race([reading, patience]);
  settled.abort();
  if (soon !== undefined) return soon;
  const { exchanges } = await cancelRun(probe, begun.runId);
  const late = await reading;
  return { ...begun, exchanges: [...begun.exchanges, ...exchanges, ...late.exchanges] };
}

function isDispatch(event: RunEvent): boolean {
  return readTransition(event) !== undefined || readDecision(event)?.kind === 'next-worker';
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
