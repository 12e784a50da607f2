import { isAboutReplay, type RunEvent } from './event.ts';
import type { RunRecord } from './runs.ts';
import type { Store } from './store.ts';

/** Whether a node's events in a fixed history show that something has happened. */
export type ShownBy = (events: readonly Shown[]) => boolean;

/** What a history shows of an event; of one that has expired, little of its payload is left. */
export type Shown = Pick<RunEvent, 'nodeId' | 'type' | 'payload'>;

/** What a run has from the runs that it descends from by forks. */
export interface Ancestry {
  /** Whether the node's outside world was already observed in the history that the run inherited. */
  isHistory(nodeId: string, shownBy?: ShownBy): boolean;
  /**
   * The runs whose records stand for what the node observes, nearest first. A replay takes its source's records
   * (replay.md, internals 4); a branch observes anew (internals 5), except for what its fixed history has observed: that
   * is so when the node's events in it show it, or, where nothing is said, when there is any after the node's first.
   */
  recordsFor(nodeId: string, shownBy?: ShownBy): readonly string[];
  /** The runs that the run descends from and that have lost data by a deletion: it is not asked for anew, by no branch. */
  withDeletions(): readonly string[];
  /** The last event of a kind in an attempt at the node, in the nearest of those runs that has one. */
  lastEvent(of: Attempt, kind: (event: RunEvent) => boolean): RunEvent | undefined;
}

/** An attempt at a node; the first one is 1. */
export interface Attempt {
  readonly nodeId: string;
  readonly attempt: number;
}

type AncestryStore = Pick<Store, 'runs' | 'events' | 'expired' | 'deletions'>;

/** The ancestry of a run; empty for one that is no fork. Logs are read when they are first needed, and once. */
export function ancestryOf(store: AncestryStore, run: RunRecord): Ancestry {
  const histories = new Map<string, readonly Shown[]>();
  const isHistory = (each: RunRecord, nodeId: string, shownBy: ShownBy = shownByAny): boolean => {
    const known = histories.get(each.runId) ?? history(store, each);
    histories.set(each.runId, known);
    return shownBy(known.filter((event) => event.nodeId === nodeId));
  };
  const recordsFor = (nodeId: string, shownBy?: ShownBy): string[] => {
    const found: string[] = [];
    for (let each = run; each.fork !== undefined;) {
      if (each.fork.mode === 'branch' && !isHistory(each, nodeId, shownBy)) break;
      const parent = store.runs.parent(each);
      if (parent === undefined) break;
      found.push(parent.runId);
      each = parent;
    }
    return found;
  };
  return {
    isHistory: (nodeId, shownBy) => isHistory(run, nodeId, shownBy),
    recordsFor,
    withDeletions() {
      const found: string[] = [];
      for (let each = store.runs.parent(run); each !== undefined; each = store.runs.parent(each)) {
        if (store.deletions.of(each.runId).length > 0) found.push(each.runId);
      }
      return found;
    },
    lastEvent({ nodeId, attempt }, kind) {
      for (const runId of recordsFor(nodeId)) {
        const own = store.events.read(runId).filter((event) => event.nodeId === nodeId);
        const last = ofAttempt(own, attempt).findLast(kind);
        if (last !== undefined) return last;
      }
      return undefined;
    },
  };
}

/** The history that a fork inherited, with what is known of expired events of it. */
function history({ events, expired }: AncestryStore, { runId, fork }: RunRecord): readonly Shown[] {
  const own = events.read(runId).filter((event) => !isAboutReplay(event.type));
  const before = expired.get(runId)?.events ?? [];
  return [...before, ...own].slice(0, fork?.position ?? 0);
}

/** Those of a node's events that belong to an attempt, without the one that it begins with. */
function ofAttempt<E extends Shown>(own: readonly E[], attempt: number): readonly E[] {
  let number = 1;
  return own.filter(({ type }) => {
    if (type === 'node.retried') number += 1;
    return number === attempt && type !== 'node.retried' && type !== 'node.started';
  });
}

/** Whether a node's events show that an attempt has observed something. */
export function shownByAttempt(attempt: number): ShownBy {
  return (events) => ofAttempt(events, attempt).length > 0;
}

/** Whatever a node does after its node.started follows from what it has observed by then. */
function shownByAny(events: readonly Shown[]): boolean {
  return events.some(({ type }) => type !== 'node.started');
}
