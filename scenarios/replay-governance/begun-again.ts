import type { Mismatch } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, isAboutReplay, named } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';

/**
 * replay.md, Two modes: what stands below a fork's start is fixed history. A replay from the retention boundary begins no node again that
 * had ended before it, unless its control did. Undefined where it does not.
 */
export function begunAgain(control: RecordedRun, run: RecordedRun, boundary: number): Mismatch | undefined {
  const before = eventsOf(control);
  const after = eventsOf(run);
  const ended = before.filter(({ type, sequence }) => type === 'node.completed' && sequence < boundary).map(nodeOf);
  // A host may show the history that it still knows of, or begin its log at the boundary.
  const isWhole = after.some((event) => !isAboutReplay(event) && event.sequence < boundary);
  const wanted = isWhole ? before : before.filter(({ sequence }) => sequence >= boundary);
  const again = ended.find((node) => node !== undefined && starts(after, node) > starts(wanted, node));
  if (again === undefined) return undefined;
  return {
    expected: `node ${again} started ${starts(wanted, again)} times in the log of ${named(run)}, as in that of ${named(control)}: it had ended before the boundary ${boundary}`,
    actual: `${starts(after, again)} times`,
  };
}

function starts(events: readonly RunEvent[], node: string): number {
  return events.filter((event) => event.type === 'node.started' && nodeOf(event) === node).length;
}
