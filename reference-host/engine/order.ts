import type { EventDraft, RunEvent } from '../store/event.ts';
import { isAboutReplay } from '../store/event.ts';
import type { NodeRun } from './node-run.ts';

/** A node whose turn it is, and the event that it writes; none where it now waits for somebody outside. */
export interface Turn {
  readonly run: NodeRun;
  readonly draft: EventDraft | undefined;
}

/** Which of the nodes that run at the same time writes its event next. */
export interface Order {
  /** Chooses among nodes that may begin and nodes that are on their way. At least one of the lists is not empty. */
  choose(beginning: readonly NodeRun[], going: readonly NodeRun[]): Promise<Turn>;
}

/** As a live run does it: whoever may begin begins, and events are written as they come. */
export const asTheyCome: Order = {
  choose(beginning, going) {
    const [first] = beginning;
    return first === undefined ? Promise.race(going.map(turn)) : turn(first);
  },
};

/**
 * As the source of a replay did it (0041 §C): the nodes that are on their way say what they would write, and the one whose
 * event stands first in the source's log has its turn. An event that the source does not have takes the place of the
 * node's next one there. A node of which the source has nothing more, because the source ended first, stays where it is
 * as long as there are others. `written` is what the replay's log already holds.
 */
export function asRecorded(source: readonly RunEvent[], written: readonly RunEvent[]): Order {
  const recorded = recordOf(source);
  for (const event of written) recorded.pass(event);
  return {
    async choose(beginning, going) {
      const expected = going.filter(({ node }) => !recorded.isExhausted(node.id));
      const candidates = [...expected, ...beginning];
      const turns = await Promise.all((candidates.length === 0 ? going : candidates).map(turn));
      const chosen = lowest(turns, ({ draft }) => (draft === undefined ? -1 : recorded.position(draft)));
      if (chosen.draft !== undefined) recorded.pass(chosen.draft);
      return chosen;
    },
  };
}

/** The turn with the lowest rank; the first of those where several have it. */
function lowest(turns: readonly Turn[], rank: (turn: Turn) => number): Turn {
  return turns.reduce((best, each) => (rank(each) < rank(best) ? each : best));
}

async function turn(run: NodeRun): Promise<Turn> {
  return { run, draft: await run.next() };
}

interface NodeRecord {
  readonly events: { readonly type: string; readonly index: number }[];
  /** The first of them that has no counterpart yet. */
  cursor: number;
}

/** Each node's way through a log. */
function recordOf(log: readonly RunEvent[]): {
  /** Where the log has the draft's counterpart or else the node's next event; -1 for a node that it does not know. */
  position(draft: EventDraft): number;
  /** Whether the log has nothing more of a node that it knows. */
  isExhausted(nodeId: string): boolean;
  /** Goes past the draft's counterpart. */
  pass(draft: EventDraft): void;
} {
  const nodes = new Map<string, NodeRecord>();
  const events = log.filter((event) => !isAboutReplay(event.type));
  for (const [index, { nodeId = '', type }] of events.entries()) {
    const node = nodes.get(nodeId) ?? { events: [], cursor: 0 };
    node.events.push({ type, index });
    nodes.set(nodeId, node);
  }
  const counterpart = (node: NodeRecord, { type }: EventDraft): number =>
    node.events.findIndex((event, index) => index >= node.cursor && event.type === type);
  return {
    position(draft) {
      const node = nodes.get(draft.nodeId ?? '');
      if (node === undefined) return -1;
      const found = counterpart(node, draft);
      return node.events[found === -1 ? node.cursor : found]?.index ?? -1;
    },
    isExhausted(nodeId) {
      const node = nodes.get(nodeId);
      return node !== undefined && node.cursor === node.events.length;
    },
    pass(draft) {
      const node = nodes.get(draft.nodeId ?? '');
      const found = node === undefined ? -1 : counterpart(node, draft);
      if (node !== undefined && found !== -1) node.cursor = found + 1;
    },
  };
}
