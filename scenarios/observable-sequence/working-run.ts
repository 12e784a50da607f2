import { readStream } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import { answerRun, startAsking } from '../shared/answering.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/read-event.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKING, hasEnded } from '../shared/past-question.ts';
import { readBy, readByEach, type ReadingObservation, recordedReading } from '../shared/reading.ts';
import { isObserved, type RunObservation } from '../shared/run-observation.ts';

/** The role of the run that is read while it works. */
export const WORKING = 'working run';

/** Ours does more behind its question. */
const [PUBLIC, OURS] = ASKING;

/**
 * A run that asks: polled while it waits, its stream read while it goes on, and all of it once more when it has ended. None
 * where the host runs nothing that asks.
 */
export async function readWorking(probe: Probe): Promise<readonly (RunObservation | ReadingObservation)[]> {
  const { candidate, run } = await startAsking(probe, WORKING, [OURS, PUBLIC]);
  const asking = eventsOf(run).find(isAsking);
  if (!isObserved(run) || hasEnded(run) || asking === undefined) return [];
  const of = { run: WORKING, runId: run.runId } as const;
  const waiting = await readBy(probe, 'poll', { ...of, how: 'waiting' });
  const answer = (): Promise<unknown> => answerRun(probe, run, nodeOf(asking) ?? candidate.nodeId, candidate.goesOn);
  let answered: Promise<unknown> | undefined;
  const live = await readStream(probe, run.runId, () => (answered = answer()));
  await (answered ?? cancelRun(probe, run.runId));
  const again = await readStream(probe, run.runId);
  return [
    run,
    waiting,
    live && recordedReading({ ...of, transport: 'sse', how: 'live' }, live),
    again && recordedReading({ ...of, transport: 'sse', how: 'again' }, again),
    ...(await readByEach(probe, of)),
  ].filter((each) => each !== undefined);
}
