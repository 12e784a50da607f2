import type { Probe } from '../../src/host/probe.ts';
import { isParked } from '../../src/protocol/run-status.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { fixtureOf } from '../shared/fixture-sources.ts';
import { ASKS_AGAIN, PAST_ANSWERS, replayPastQuestion } from '../shared/past-question.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/**
 * A replay of all of a run that somebody answered, as its log says; none of other runs. One that asks again has as long as
 * any run to go on by itself, and is cancelled then.
 */
export async function replayAnswered(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  if (!eventsOf(source).some(({ type }) => type === 'interrupt.resolved')) return [];
  const role = PAST_ANSWERS + fixtureOf(source);
  const { replay, waits, status } = await replayPastQuestion(probe, source, { role, fromSeq: undefined });
  if (!waits) return [replay];
  const { exchanges } = await cancelRun(probe, replay.runId);
  const problem = isParked(status) ? ASKS_AGAIN : 'it has not ended';
  return [{ ...replay, problem, exchanges: [...replay.exchanges, ...exchanges] }];
}
