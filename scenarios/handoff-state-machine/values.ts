import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import { foldEvents } from '../../src/event-log/index.ts';

/** A variable at a run's end: from its snapshot, else from its log; undefined where neither shows it. */
export function valueIn(
  { snapshot, events }: { readonly snapshot: Json; readonly events: readonly Json[] },
  name: string,
): unknown {
  const inSnapshot = member(member(snapshot, 'variables'), name);
  if (inSnapshot !== undefined) return inSnapshot;
  const folded = foldEvents(events);
  return folded.ok ? folded.state.variables.get(name) : undefined;
}
