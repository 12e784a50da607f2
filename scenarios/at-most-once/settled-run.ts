import { member } from '../../src/contract/discovery.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { rawOf } from '../shared/compare-runs.ts';
import { type ForkBody, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { readSnapshot } from '../shared/snapshot.ts';
import { readNow } from './read-now.ts';
import { isParked } from './run-status.ts';

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** The status that a run's snapshot shows. */
export function statusOf({ snapshot }: Pick<RunObservation, 'snapshot'>): string | undefined {
  const status = member(snapshot, 'status');
  return typeof status === 'string' ? status : undefined;
}

/** Whether a run waits for somebody. */
export function isWaiting(run: Pick<RunObservation, 'snapshot'>): boolean {
  return isParked(statusOf(run));
}

/** Forks a run and follows the fork until it has ended or waits for somebody. */
export async function forkUntilSettled(
  probe: Probe,
  source: RunObservation,
  body: ForkBody,
  role: string,
): Promise<RunObservation> {
  const begun = await startFork(probe, source, body, { role, until: () => true });
  return begun.problem === null ? untilSettled(probe, begun, (status) => ENDED.has(status) || isParked(status)) : begun;
}

/** Follows a run that was answered until it has ended. */
export function untilEnded(probe: Probe, run: RunObservation): Promise<RunObservation> {
  return untilSettled(probe, run, (status) => ENDED.has(status));
}

/** How many time-outs a run may take to settle, as when runs are followed. */
const PATIENCE = 3;

async function untilSettled(
  probe: Probe,
  run: RunObservation,
  isSettled: (status: string) => boolean,
): Promise<RunObservation> {
  const runId = run.runId ?? '';
  const { snapshot, exchanges } = await repeatPaced(
    () => readSnapshot(probe, probe.host, { runId, ended: undefined }),
    (each) => isSettled(statusOf(each) ?? ''),
    { patienceMs: PATIENCE * probe.timeoutMs, signal: probe.signal },
  );
  const status = statusOf({ snapshot });
  if (status !== undefined && ENDED.has(status)) return readAgain(probe, run, { role: run.role });
  const log = await readNow(probe.host, runId, () => false);
  const unread = log.events === undefined ? 'its log could not be read' : null;
  return {
    ...run,
    events: rawOf(log.events ?? []),
    snapshot,
    exchanges: [...run.exchanges, ...exchanges, ...log.exchanges],
    problem: isSettled(status ?? '') ? unread : `its status is ${status ?? 'unknown'}`,
  };
}
