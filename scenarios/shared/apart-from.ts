import { eventsOf } from './compare-runs.ts';
import type { RunObservation } from './run-observation.ts';

/** Words of a log in which a model may have been called, and types of events of one that hands off. */
const MODELS = /provider|envelope|model|llm|prompt|chat|\bai\b/iu;
const HANDS_OFF = /^(?:core\.workflowChain|core\.dispatch|runOrchestrator|node\.dispatched)/u;

/**
 * The rows about models and about handoffs, where a run does nothing of the kind by its log: what replays of it show otherwise is none of
 * their business, whatever fails there.
 */
export function apartFrom(run: Pick<RunObservation, 'events'>): readonly string[] {
  const asksNoModel = !run.events.some((event) => MODELS.test(JSON.stringify(event)));
  const handsNothingOff = !eventsOf(run).some(({ type }) => HANDS_OFF.test(type));
  return [
    ...(asksNoModel ? ['refusal.', 'cache-key.'] : []),
    ...(handsNothingOff ? ['handoff.', 'replay.no-second-child'] : []),
  ];
}
