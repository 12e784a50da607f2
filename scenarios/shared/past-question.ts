import { member } from '../../src/contract/discovery.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { terminalStatus, type RunEvent } from '../../src/host/run-event.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { eventsOf } from './compare-runs.ts';
import { jsonIn } from './exchanged.ts';
import { readAgain, startFork, type RunObservation } from './run-observation.ts';

/** Whether an event asks somebody for an answer. */
export function isQuestion({ type }: RunEvent): boolean {
  return type === 'interrupt.requested';
}

/** Whether a run's log shows its end. */
export function hasEnded(run: RunObservation): boolean {
  return eventsOf(run).some(({ type }) => terminalStatus(type) !== undefined);
}

/** A part of a run's wait for its end that a question may last which is answered from the record. */
const PATIENCE = 0.1;

/** A replay of a run that asked; `waits` where it shows the question and does not go on by itself. */
interface PastQuestion {
  readonly replay: RunObservation;
  readonly waits: boolean;
}

/** Replays a run that asked, without waiting for the end of a replay that asks again. */
export async function replayPastQuestion(
  probe: Probe,
  source: RunObservation,
  { role, fromSeq }: { readonly role: string; readonly fromSeq: number | undefined },
): Promise<PastQuestion> {
  const body = { mode: 'replay', ...(fromSeq === undefined ? {} : { fromSeq }) } as const;
  const replay = await startFork(probe, source, body, { role, until: isQuestion });
  if (replay.problem !== null || hasEnded(replay)) return { replay, waits: false };
  const status = await repeatPaced(
    () => statusOf(probe, replay),
    (each) => each === undefined || ENDED.has(each),
    { patienceMs: probe.timeoutMs * PATIENCE, signal: probe.signal },
  );
  if (status === undefined || !ENDED.has(status)) return { replay, waits: true };
  return { replay: await readAgain(probe, replay, { role }), waits: false };
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

async function statusOf(probe: Probe, { runId }: RunObservation): Promise<string | undefined> {
  const path = runPath(runId ?? '');
  const exchange = await probe.host.exchange({ method: 'GET', path });
  const status = member(jsonIn(exchange), 'status');
  return typeof status === 'string' ? status : undefined;
}
