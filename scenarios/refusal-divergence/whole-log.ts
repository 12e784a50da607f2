import { copyPacked } from '../../src/evidence/pack.ts';
import { createEventLog } from '../../src/host/event-log.ts';
import { readPollPages } from '../../src/host/poll.ts';
import type { Probe } from '../../src/host/probe.ts';
import { readAgain, type RunObservation } from '../shared/run-observation.ts';
import { readSnapshot } from '../shared/snapshot.ts';

/**
 * The log of a run that has ended, read once more as a list: a stream ends with the terminal event and hides what a host
 * wrote after it. Where the host has no poll endpoint, the run is followed again. The snapshot is the one of before.
 */
export async function wholeLog(probe: Probe, run: RunObservation, role: string): Promise<RunObservation> {
  const { runId } = run;
  if (runId === null) return copyPacked(run, { role });
  const log = createEventLog();
  const { exchanges, problem } = await readPollPages(probe.host, runId, log);
  if (problem !== undefined || !log.hasEnded()) return readAgain(probe, run, { role });
  const whole = copyPacked(run, { role, events: [], exchanges });
  log.keepIn(whole, 'events');
  return whole;
}

/** The same with the snapshot as it is now. */
export async function wholeRun(probe: Probe, run: RunObservation, role: string): Promise<RunObservation> {
  const read = await wholeLog(probe, run, role);
  const now = await readSnapshot(probe, probe.host, { runId: run.runId ?? '', ended: undefined });
  const { snapshot, exchanges } = now;
  return copyPacked(read, { snapshot, exchanges: [...read.exchanges, ...exchanges] });
}
