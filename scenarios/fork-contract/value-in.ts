import { member } from '../../src/contract/discovery.ts';
import { foldEvents } from '../../src/event-log/index.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { isHidden } from '../shared/hidden-value.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { outputIn } from '../shared/shown-values.ts';

/** A variable at a run's end: from the snapshot, where that does not hide it, else from the log, else what the node of that name gave. */
export function valueIn(run: RunObservation, name: string): unknown {
  const inSnapshot = member(member(run.snapshot, 'variables'), name);
  if (inSnapshot !== undefined && !isHidden(inSnapshot)) return inSnapshot;
  const folded = foldEvents(run.events);
  if (folded.ok && folded.state.variables.has(name)) return folded.state.variables.get(name);
  const completed = eventsOf(run).findLast(({ type, nodeId }) => type === 'node.completed' && nodeId === name);
  return outputIn(completed?.payload);
}
