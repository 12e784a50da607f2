import type { EventDraft } from '../store/event.ts';
import type { NodeView } from '../store/fold.ts';
import type { WorkflowNode } from './workflow.ts';

/** A node on its way, between two of its events. */
export interface NodeRun {
  readonly node: WorkflowNode;
  /** Takes it to the event that it wants to write next; undefined where it waits for somebody outside. */
  next(): Promise<EventDraft | undefined>;
  /** Resolves when nothing of it is under way any more. */
  idle(): Promise<unknown>;
  /** The node on its way after that event was written. `view` is what the run knows by then. */
  after(view: NodeView): NodeRun;
}

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
