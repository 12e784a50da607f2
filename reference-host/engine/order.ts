import { isAboutReplay, type EventDraft, type RunEvent } from '../store/event.ts';
import type { NodeRun, Order, Turn } from '../types/order.ts';

/** As a live run does it: whoever may begin begins, and events are written as they come. */
export const asTheyCome: Order = {
  choose(beginning, going) {
    const [first] = beginning;
    return first === undefined ? Promise.race(going.map(turn)) : turn(first);
  },
};

/**
 * As the source of a replay did it (0041 §C): the node whose event stands first in the source's log has its turn. An event
 * that the source does not have takes the place of the node's next one there; a node that the source does not know goes
 * first, and one of which it has nothing more goes last. No node is taken further than the choice needs, so that a replay
 * does not begin what its source had not finished. `written` is what the replay's log already holds.
 */
export function asRecorded(source: readonly RunEvent[], written: readonly RunEvent[]): Order {
  const recorded = recordOf(source);
  for (const event of written) recorded.pass(event);
  return {
    async choose(beginning, going) {
      const runs = [...going, ...beginning].map((run) => ({ run, earliest: recorded.next(run.node.id) }));
      const seen: (Turn & { readonly position: number })[] = [];
      for (const { run, earliest } of runs.toSorted((one, other) => ascending(one.earliest, other.earliest))) {
        if (seen.some(({ position }) => position <= earliest)) break;
        const { draft } = await turn(run);
        seen.push({ run, draft, position: draft === undefined ? -1 : recorded.position(draft) });
      }
      const chosen = lowest(seen, ({ position }) => position);
      if (chosen.draft !== undefined) recorded.pass(chosen.draft);
      return chosen;
    },
  };
}

/** The turn with the lowest rank; the first of those where several have it. */
export function lowest<T extends Turn>(turns: readonly T[], rank: (turn: T) => number): T {
  return turns.reduce((best, each) => (rank(each) < rank(best) ? each : best));
}

/** Subtracting would not do: two infinite positions are the same. */
function ascending(one: number, other: number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** A node's next turn. */
export async function turn(run: NodeRun): Promise<Turn> {
  return { run, draft: await run.next() };
}

interface NodeRecord {
  readonly events: { readonly type: string; readonly index: number }[];
  /** The first of them that has no counterpart yet. */
  cursor: number;
}

/** Each node's way through a log. Positions are those of the log's events; -1 is for nodes that it does not know. */
interface Recorded {
  /** Where the log has the node's next event; infinitely far where it has no more. */
  next(nodeId: string): number;
  /** Where the log has the draft's counterpart, or else the node's next event. */
  position(draft: EventDraft): number;
  /** Goes past the draft's counterpart. */
  pass(draft: EventDraft): void;
}

function recordOf(log: readonly RunEvent[]): Recorded {
  const nodes = new Map<string, NodeRecord>();
  const events = log.filter((event) => !isAboutReplay(event.type));
  for (const [index, { nodeId = '', type }] of events.entries()) {
    const node = nodes.get(nodeId) ?? { events: [], cursor: 0 };
    node.events.push({ type, index });
    nodes.set(nodeId, node);
  }
  const counterpart = ({ events: own, cursor }: NodeRecord, { type }: EventDraft): number =>
    own.findIndex((event, index) => index >= cursor && event.type === type);
  const positionOf = (node: NodeRecord, index: number): number => node.events[index]?.index ?? Infinity;
  return {
    next(nodeId) {
      const node = nodes.get(nodeId);
      return node === undefined ? -1 : positionOf(node, node.cursor);
    },
    position(draft) {
      const node = nodes.get(draft.nodeId ?? '');
      if (node === undefined) return -1;
      const found = counterpart(node, draft);
      return positionOf(node, found === -1 ? node.cursor : found);
    },
    pass(draft) {
      const node = nodes.get(draft.nodeId ?? '');
      const found = node === undefined ? -1 : counterpart(node, draft);
      if (node !== undefined && found !== -1) node.cursor = found + 1;
    },
  };
}
