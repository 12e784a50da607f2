import type { Probe } from '../../src/host/probe.ts';
import { startAsking } from '../shared/answering.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { fixtureOf, SOURCE_OF } from '../shared/fixture-sources.ts';
import { hasEnded } from '../shared/past-question.ts';
import { isObserved, readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';
import { WAITS_ON } from '../shared/swept-runs.ts';

/**
 * A replay of a run that came to no end of its own, from the last event that it shows: what it goes on to no document says, so that it is
 * left where its history ends, and cancelled. None where the host makes none, which the documents leave open of a run that waits.
 */
async function forkHistory(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  const [before, last] = eventsOf(source).slice(-2);
  if (before === undefined || last === undefined) return [];
  const role = `replay of ${fixtureOf(source)}, left where its history ends`;
  const until = ({ sequence }: { readonly sequence: number }): boolean => sequence >= before.sequence;
  const replay = await startFork(probe, source, { mode: 'replay', fromSeq: last.sequence }, { role, until });
  await cancelRun(probe, replay.runId);
  return isObserved(replay) ? [replay] : [];
}

/**
 * A run that waits, a replay of its history, and the run as it is then, which nobody has answered; then the same of that run, cancelled.
 * None where the host runs nothing that asks.
 */
export async function sweepLeft(probe: Probe): Promise<readonly RunObservation[]> {
  const { run } = await startAsking(probe, `${SOURCE_OF}a run that waits`);
  if (!isObserved(run) || hasEnded(run)) return [];
  const replays = await forkHistory(probe, run);
  const last = eventsOf(run).at(-1)?.sequence ?? 0;
  const again = await readAgain(probe, run, { role: WAITS_ON, until: ({ sequence }) => sequence >= last });
  const { status } = await cancelRun(probe, run.runId);
  const waiting = replays.length === 0 ? [] : [run, ...replays, again];
  if (!isSuccess(status)) return waiting;
  const cancelled = await readAgain(probe, run, { role: `${SOURCE_OF}a run that was cancelled` });
  const ofCancelled = hasEnded(cancelled) ? await forkHistory(probe, cancelled) : [];
  return ofCancelled.length === 0 ? waiting : [...waiting, cancelled, ...ofCancelled];
}
