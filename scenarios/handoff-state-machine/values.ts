import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import { foldEvents } from '../../src/event-log/index.ts';

/** A variable at a run's end: from its log, else from its snapshot, which may differ; undefined where neither shows it. */
export function valueIn(
  { snapshot, events }: { readonly snapshot: Json; readonly events: readonly Json[] },
  name: string,
): unknown {
  const folded = foldEvents(events);
  const inLog = folded.ok ? folded.state.variables.get(name) : undefined;
  return inLog === undefined ? member(member(snapshot, 'variables'), name) : inLog;
}
