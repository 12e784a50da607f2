import { readNow } from '../../src/host/log/now.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
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

/** What a status says that is no worker's: others may tell of a lease that runs out, of another worker or of a call. */
const SOMEBODY =
  /^(?:paused|parked|on[-_ ]?hold|needs|requires|manual)|approval|input|human|person|user|confirm|review|interven|operator/iu;

/** Whether a run is left to somebody outside: by a status that says so, or by one that waits and a question that is open. */
export function isLeftToSomebody(status: unknown, events: readonly RunEvent[]): boolean {
  return isParked(status) && (SOMEBODY.test(String(status)) || asksStill(events));
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

/** Whether nothing more can well come: not where a run waits, by its status alone, for what may be a worker. */
function isSurelySettled(run: Observed): boolean {
  const [status, events] = [statusIn(run.snapshot), eventsOf(run)];
  return hasEnded(run) || (isParked(status) ? isLeftToSomebody(status, events) : asksStill(events));
}

/** Follows a run that was answered until it has ended or waits for somebody. */
export async function untilSettled(probe: Probe, run: RunObservation): Promise<RunObservation> {
  let seen = run;
  for (const patience of LOOKS) {
    seen = await look(probe, seen, { isEnough: isSurelySettled, patience });
    if (seen.problem === null) return seen;
  }
  return look(probe, seen, { isEnough: isSurelySettled, isEnoughThen: hasSettled, patience: LAST });
}

/** Follows a run that was answered until it has ended. */
export function untilEnded(probe: Probe, run: RunObservation): Promise<RunObservation> {
  return look(probe, run, { isEnough: hasEnded, patience: PATIENCE });
}

/** How many time-outs a run may take, as when runs are followed; and the parts of it after which a run's log is looked at. */
const PATIENCE = 3;
const LOOKS = [0.1, 0.4, 1];
const LAST = 1.5;

interface Looking {
  readonly isEnough: (run: Observed) => boolean;
  /** What is enough when the patience is over; where absent, the same. */
  readonly isEnoughThen?: (run: Observed) => boolean;
  /** How many time-outs the status is waited for. */
  readonly patience: number;
}

/** Looks at a run's status until that is enough, and then at its log, which may say more than its status. */
async function look(
  probe: Probe,
  run: RunObservation,
  { isEnough, isEnoughThen = isEnough, patience }: Looking,
): Promise<RunObservation> {
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
    problem: isEnoughThen({ snapshot, events }) ? unread : `its status is ${status ?? 'unknown'}`,
  };
}
