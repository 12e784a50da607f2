import type { Mismatch } from '../../src/contract/outcome.ts';
import { eventsOf, typesOtherwise } from './compare-runs.ts';
import type { RunObservation } from './run-observation.ts';

/** Words of a log in which a model may have been called, and types of events of one that hands off. */
const MODELS = /provider|envelope|model|llm|prompt|chat|\bai\b/iu;
const HANDS_OFF = /^(?:core\.workflowChain|core\.dispatch|runOrchestrator|node\.dispatched)/u;

/**
 * What has nothing to do with a replay that differs: the rows about models and about handoffs, where a run does nothing of the kind by its
 * log, and what was seen in logs that hold nothing of what differs here.
 */
export function apartFrom(
  source: RunObservation,
  replay: RunObservation,
  volatile: readonly string[],
): Pick<Mismatch, 'apart' | 'differs'> {
  const asksNoModel = !source.events.some((event) => MODELS.test(JSON.stringify(event)));
  const handsNothingOff = !eventsOf(source).some(({ type }) => HANDS_OFF.test(type));
  const apart = [
    ...(asksNoModel ? ['refusal.', 'cache-key.'] : []),
    ...(handsNothingOff ? ['handoff.', 'replay.no-second-child'] : []),
  ];
  return { apart, differs: typesOtherwise(source, replay, volatile) };
}
