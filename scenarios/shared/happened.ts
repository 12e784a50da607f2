import type { Json } from '../../src/evidence/types.ts';
import { isRecord, readRunEvent } from '../../src/host/run-event.ts';
import { compareLogs, partOf } from './compare-runs.ts';
import type { Compared } from './compared.ts';
import type { RunObservation } from './run-observation.ts';
import { saidInBoth } from './said-in-both.ts';
import { OUTPUTS } from './shown-values.ts';
import { withoutMaking } from './telemetry.ts';

/** The members of payloads that say what happened. How long it took, what it used and what else a host notes may differ. */
export const FACTS: readonly string[] = [
  ...OUTPUTS,
  'typeId',
  'name',
  'channel',
  'value',
  'next',
  'changeId',
  'version',
  'resumeValue',
  'phase',
  'workerId',
  'harvestedKeys',
];

/** Hosts give what a node, or a run, puts out one of these names; other events may mean something else by some of them. */
const PUT_OUT: ReadonlySet<string> = new Set(OUTPUTS);
const ELSEWHERE: ReadonlySet<string> = new Set(OUTPUTS.slice(1));
const PUTS_OUT: ReadonlySet<string> = new Set(['node.completed', 'run.completed']);

/** The events of the wire that say what happened; hosts write others beside them (wire-contract, Documents). */
const HAPPENED: ReadonlySet<string> = new Set([
  'node.started',
  'node.completed',
  'node.failed',
  'variable.changed',
  'channel.written',
  'version.pinned',
  'interrupt.resolved',
  'runOrchestrator.decided',
  'core.workflowChain.event',
  'run.completed',
  'run.failed',
  'run.cancelled',
]);

/** A run whose log holds what happened and nothing else; empty where no node of it did anything. `also` is one more type of event that counts. */
export function withFacts<Run extends RunObservation>(run: Run, also?: string): Run {
  const events = run.events.filter((event) => {
    const type = readRunEvent(event)?.type ?? '';
    return HAPPENED.has(type) || type === also;
  });
  const isIdle = !events.some((event) => readRunEvent(event)?.type.startsWith('node.') === true);
  return { ...run, events: isIdle ? [] : events.map(factsOf) };
}

function factsOf(event: Json): Json {
  if (!isRecord(event)) return event;
  const payload = event['payload'] ?? event['data'];
  const putsOut = PUTS_OUT.has(readRunEvent(event)?.type ?? '');
  const isFact = (name: string): boolean => FACTS.includes(name) && (putsOut || !ELSEWHERE.has(name));
  const known = isRecord(payload) ? Object.entries(payload).filter(([name]) => isFact(name)) : [];
  const facts = known.map(([name, value]) => [name, PUT_OUT.has(name) ? withoutMaking(value) : value]);
  const { causationId: _cause, data: _data, ...rest } = event;
  return partOf(event, { ...rest, payload: Object.fromEntries(facts) });
}

/** Compares what happened in two runs: the facts, and what both say where a host need not say it. */
export function compareFacts(source: RunObservation, replay: RunObservation, volatile: readonly string[]): Compared {
  const facts = compareLogs(withFacts(source), withFacts(replay), volatile);
  if (facts.kind !== 'same') return facts;
  for (const [ours, theirs] of saidInBoth(source, replay)) {
    const said = compareLogs({ ...source, events: [ours] }, { ...replay, events: [theirs] }, volatile);
    if (said.kind !== 'same') return said;
  }
  return facts;
}

/** Compares what happened in two runs, and which events they show, whatever else these say. */
export function compareHappened(source: RunObservation, replay: RunObservation, volatile: readonly string[]): Compared {
  const facts = compareFacts(source, replay, volatile);
  return facts.kind === 'same' ? compareLogs(withoutPayloads(source), withoutPayloads(replay), volatile) : facts;
}

function withoutPayloads(run: RunObservation): RunObservation {
  return { ...run, events: run.events.map(bare) };
}

function bare(event: Json): Json {
  if (!isRecord(event)) return event;
  const { causationId: _cause, data: _data, ...rest } = event;
  return partOf(event, { ...rest, payload: {} });
}
