import type { Probe } from '../../src/host/probe.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { fixtureOf } from '../shared/fixture-sources.ts';
import { PAST_ANSWERS, replayAnswered } from '../shared/past-question.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/**
 * A replay of all of a run that somebody answered, as its log says; none of other runs. One that asks again has as long as
 * any run to go on by itself, and is cancelled then.
 */
export async function replayPastAnswers(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  if (!eventsOf(source).some(({ type }) => type === 'interrupt.resolved')) return [];
  return [await replayAnswered(probe, source, PAST_ANSWERS + fixtureOf(source))];
}
