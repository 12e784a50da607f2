import { readNow } from '../../src/host/log/now.ts';
import type { Probe } from '../../src/host/probe.ts';
import { endsRun, isEnded, isParked } from '../../src/protocol/run-status.ts';
import { rawOf } from '../shared/compare-runs.ts';
import { type ForkBody, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { awaitStatus, statusIn } from '../shared/snapshot.ts';

/** Whether a run waits for somebody. */
export function isWaiting({ snapshot }: Pick<RunObservation, 'snapshot'>): boolean {
  return isParked(statusIn(snapshot));
}

/** Forks a run and follows the fork until it has ended or waits for somebody. */
export async function forkUntilSettled(
  probe: Probe,
  source: RunObservation,
  body: ForkBody,
  role: string,
): Promise<RunObservation> {
  const begun = await startFork(probe, source, body, { role, until: () => true });
  return begun.problem === null ? untilSettled(probe, begun) : begun;
}

/** Follows a run that was answered until it has ended or waits for somebody. */
export function untilSettled(probe: Probe, run: RunObservation): Promise<RunObservation> {
  return untilStatus(probe, run, (status) => isEnded(status) || isParked(status));
}

/** Follows a run that was answered until it has ended. */
export function untilEnded(probe: Probe, run: RunObservation): Promise<RunObservation> {
  return untilStatus(probe, run, isEnded);
}

/** How many time-outs a run may take to settle, as when runs are followed. */
const PATIENCE = 3;

async function untilStatus(
  probe: Probe,
  run: RunObservation,
  isEnough: (status: unknown) => boolean,
): Promise<RunObservation> {
  const { runId } = run;
  const patienceMs = PATIENCE * probe.timeoutMs;
  const { status, snapshot, exchanges } = await awaitStatus(probe, { runId, isEnough, patienceMs });
  const log = isEnded(status) ? undefined : await readNow(probe.host, runId ?? '', endsRun);
  if (log === undefined || log.events?.some(endsRun) === true) return readAgain(probe, run, { role: run.role });
  const unread = log.events === undefined ? 'its log could not be read' : null;
  return {
    ...run,
    events: rawOf(log.events ?? []),
    snapshot,
    exchanges: [...run.exchanges, ...exchanges, ...log.exchanges],
    problem: isEnough(status) ? unread : `its status is ${status ?? 'unknown'}`,
  };
}
