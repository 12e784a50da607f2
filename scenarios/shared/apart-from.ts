import type { Mismatch } from '../../src/contract/outcome.ts';
import { eventsOf, typesOtherwise } from './compare-runs.ts';
import type { RunObservation } from './run-observation.ts';

/** Words of a log in which a model, or a tool, may have been called, and types of events of one that hands off. */
const MODELS = /provider|envelope|model|llm|prompt|chat|\bai\b/iu;
const TOOLS = /tool|http|mcp/iu;
const HANDS_OFF = /^(?:core\.workflowChain|core\.dispatch|runOrchestrator|node\.dispatched)/u;

/** Rows about events that only some workflows write. */
const WRITTEN = [
  ['version.', 'replay.version-pins-kept.'],
  ['memory.', 'replay.recorded-facts-verbatim.'],
  ['interrupt.', 'replay.interrupt-short-circuits.'],
] as const;

/**
 * What has nothing to do with a replay that differs: the rows about models, tools, handoffs and single kinds of events, where a run does
 * nothing of the kind by its log, and what was seen in logs that hold nothing of what differs here.
 */
export function apartFrom(
  source: RunObservation,
  replay: RunObservation,
  volatile: readonly string[],
): Required<Pick<Mismatch, 'apart' | 'differs'>> {
  const says = (words: RegExp): boolean => source.events.some((event) => words.test(JSON.stringify(event)));
  const types = eventsOf(source).map(({ type }) => type);
  const [asksNoModel, callsNoTool] = [!says(MODELS), !says(TOOLS)];
  const apart = [
    ...(asksNoModel ? ['refusal.', 'cache-key.'] : []),
    ...(asksNoModel && callsNoTool ? ['replay.no-second-external-call.'] : []),
    ...(types.some((type) => HANDS_OFF.test(type)) ? [] : ['handoff.', 'replay.no-second-child']),
    ...WRITTEN.flatMap(([name, row]) => (types.some((type) => type.startsWith(name)) ? [] : [row])),
  ];
  return { apart, differs: typesOtherwise(source, replay, volatile) };
}
