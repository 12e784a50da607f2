import { readNow } from '../../src/host/log/now.ts';
import type { Probe } from '../../src/host/probe.ts';
import { endsRun, isEnded, isParked } from '../../src/protocol/run-status.ts';
import { eventsOf, rawOf } from '../shared/compare-runs.ts';
import { asksStill } from '../shared/open-question.ts';
import { type ForkBody, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { awaitStatus, statusIn } from '../shared/snapshot.ts';

type Observed = Pick<RunObservation, 'snapshot' | 'events'>;

/** Whether a run waits for somebody: by its status, or by its log where the status does not say it (readings: waiting). */
export function isWaiting({ snapshot, events }: Observed): boolean {
  const status = statusIn(snapshot);
  return isParked(status) || (!isEnded(status) && asksStill(eventsOf({ events })));
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

const hasEnded = ({ snapshot }: Observed): boolean => isEnded(statusIn(snapshot));
const hasSettled = (run: Observed): boolean => hasEnded(run) || isWaiting(run);

/** Follows a run that was answered until it has ended or waits for somebody. */
export async function untilSettled(probe: Probe, run: RunObservation): Promise<RunObservation> {
  const early = await look(probe, run, { isEnough: hasSettled, patience: EARLY });
  return early.problem === null ? early : look(probe, early, { isEnough: hasSettled, patience: PATIENCE });
}

/** Follows a run that was answered until it has ended. */
export function untilEnded(probe: Probe, run: RunObservation): Promise<RunObservation> {
  return look(probe, run, { isEnough: hasEnded, patience: PATIENCE });
}

/** How many time-outs a run may take to settle, as when runs are followed; and after which part of one its log is looked at. */
const PATIENCE = 3;
const EARLY = 0.1;

interface Looking {
  readonly isEnough: (run: Observed) => boolean;
  /** How many time-outs the status is waited for. */
  readonly patience: number;
}

/** Looks at a run's status until that is enough, and then at its log, which may say more than its status. */
async function look(probe: Probe, run: RunObservation, { isEnough, patience }: Looking): Promise<RunObservation> {
  const { runId } = run;
  const { status, snapshot, exchanges } = await awaitStatus(probe, {
    runId,
    isEnough: (shown) => isEnough({ snapshot: { status: shown ?? null }, events: [] }),
    patienceMs: patience * probe.timeoutMs,
  });
  const log = isEnded(status) ? undefined : await readNow(probe.host, runId ?? '', endsRun);
  if (log === undefined || log.events?.some(endsRun) === true) return readAgain(probe, run, { role: run.role });
  const events = rawOf(log.events ?? []);
  const unread = log.events === undefined ? 'its log could not be read' : null;
  return {
    ...run,
    events,
    snapshot,
    exchanges: [...run.exchanges, ...exchanges, ...log.exchanges],
    problem: isEnough({ snapshot, events }) ? unread : `its status is ${status ?? 'unknown'}`,
  };
}
