import { member } from '../../src/contract/discovery.ts';
import type { Probe } from '../../src/host/probe.ts';
import { cancelPath, interruptPath } from '../../src/protocol/paths.ts';
import { endOf, endsRun, isEnded, isParked, kindOfStatus, terminalStatus } from '../../src/protocol/run-status.ts';
import { startAsking } from '../shared/answering.ts';
import { addedBeside } from '../shared/beside-source.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { isAsking } from '../shared/open-question.ts';
import { type Asking, hasEnded } from '../shared/past-question.ts';
import { accepted, type RequestedObservation, sendRequest } from '../shared/requested.ts';
import { isObserved, readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import type { SnapshotFault } from '../shared/snapshot-fault.ts';
import { awaitStatus, statusIn } from '../shared/snapshot.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { CANCELLED_ROW } from './sent.ts';

/** The role of the run that leaves variables behind. */
export const VARIABLES = 'run with variables';

/** Workflows that give a variable a value. */
export const VARIABLE_FIXTURES = ['conformance-determinism-variable-write', 'conformance-multi-agent-handoff'] as const;

/** The roles of a run that was left where it waits for an answer, and of the same one after it was cancelled. */
export const [WAITING, CANCELLED] = ['waiting run', 'cancelled run'];

/** The row of the request that cancels the run. */
export const CANCEL = 'cancel';

/** The row of the same request about a run that there is not, where the other one was taken. */
export const CANCEL_UNKNOWN = 'cancel-unknown';

/** A public workflow that waits by the clock: hosts may cancel such a run late, or shorten its wait. */
export const BY_CLOCK = 'conformance-cancellable';

/** A run that waits, the request to cancel it, and the same run after that; none where the host runs nothing that waits. */
export async function cancelWaiting(probe: Probe): Promise<readonly (RunObservation | RequestedObservation)[]> {
  const asking = await startAsking(probe, WAITING);
  const asks = isWaiting(asking.run) && eventsOf(asking.run).some(isAsking);
  const run = asks ? asking.run : await startByClock(probe);
  if (!isWaiting(run)) return [];
  const about = { row: CANCEL, name: 'the cancellation of a run that waits', body: '{}' } as const;
  const requested = await sendRequest(probe.host, cancelPath(run.runId), about);
  if (!accepted(requested)) return [run, requested];
  const none = { ...about, row: CANCEL_UNKNOWN, name: 'the cancellation of a run that there is not' };
  const unknown = await sendRequest(probe.host, cancelPath(unknownLike(run.runId, 1)), none);
  return [requested, unknown, ...(await readCancelled(probe, run, asks ? asking.candidate : undefined))];
}

function startByClock(probe: Probe): Promise<RunObservation> {
  const request = { workflowId: BY_CLOCK, inputs: { delayMs: 30_000 } };
  return startRun(probe, request, { role: WAITING, until: ({ type }) => type === 'node.started' });
}

function isWaiting(run: RunObservation): run is RunObservation & { readonly runId: string; readonly problem: null } {
  return isObserved(run) && !hasEnded(run);
}

/** The row of the answer to a run that waits as before though its cancellation was accepted. */
const ANSWER_ALL_THE_SAME = 'answer-after-cancel';

/** A run that waited, and the same after it was cancelled; where it asks as before it is answered, which shows whether it goes on. */
async function readCancelled(
  probe: Probe,
  run: RunObservation & { readonly runId: string },
  asking: Asking | undefined,
): Promise<readonly (RunObservation | RequestedObservation)[]> {
  const later = await awaitStatus(probe, {
    runId: run.runId,
    isEnough: (status) => status === undefined || isEnded(status),
    patienceMs: probe.timeoutMs,
  });
  if (kindOfStatus(later.status) === 'open') {
    const still = { ...run, role: CANCELLED, snapshot: later.snapshot, exchanges: later.exchanges };
    if (asking === undefined || !isParked(later.status)) {
      // A snapshot may lag behind its log for good, which is for the row about snapshots to say.
      const ended = await readAgain(probe, run, { role: CANCELLED });
      return [run, isObserved(ended) && hasEnded(ended) ? ended : still];
    }
    const body = JSON.stringify({ resumeValue: asking.goesOn });
    const about = { row: ANSWER_ALL_THE_SAME, name: 'the answer to a run that was cancelled and waits', body };
    const answer = await sendRequest(probe.host, interruptPath(run.runId, asking.nodeId), about);
    const gone = accepted(answer) ? await readAgain(probe, run, { role: CANCELLED }) : still;
    return [run, isObserved(gone) ? gone : still, answer];
  }
  const cancelled = await readAgain(probe, run, { role: CANCELLED });
  if (asking === undefined || !isObserved(cancelled)) return [run, cancelled];
  if (endOf(eventsOf(cancelled)) !== 'cancelled') return [run, cancelled];
  const about = { row: CANCELLED_ROW, name: 'an answer to a run that was cancelled' } as const;
  const body = JSON.stringify({ resumeValue: asking.goesOn });
  return [run, cancelled, await sendRequest(probe.host, interruptPath(run.runId, asking.nodeId), { ...about, body })];
}

/**
 * What is wrong with the snapshot of a run that waited: it says an end other than the one that the log came to later. A run has
 * one end, so that it does not matter what happened between the two readings.
 */
export function endedEarly(waiting: RunObservation, later: RunObservation): SnapshotFault | undefined {
  const [status, end] = [member(waiting.snapshot, 'status'), eventsOf(later).find(endsRun)];
  if (!isEnded(status) || end === undefined || status === terminalStatus(end.type)) return undefined;
  const question = eventsOf(waiting).find(isAsking);
  const requested = question === undefined ? '' : `it asks in sequence ${question.sequence}, ${question.type}, and `;
  return {
    expected: `the status of a run that goes on in the snapshot of ${named(waiting)}: ${requested}its log ends later, in sequence ${end.sequence}, ${end.type}`,
    actual: shown(status),
    code: 'snapshot-ended-early',
  };
}

/** What the snapshot of a cancelled run shows that it did not while the run waited, and that its log does not write. */
export function addedByCancelling(waiting: RunObservation, later: RunObservation): SnapshotFault | undefined {
  const isCancelled = endOf(eventsOf(later)) === 'cancelled';
  return isCancelled && isParked(statusIn(waiting.snapshot)) ? addedBeside(later, waiting) : undefined;
}
