import type { DivergenceClass } from '../event-log/index.ts';

/** Where a replay parts from its source first. */
export interface AuditedDivergence {
  /** `reported` where the logs are the same but for the replay's own word that it differs. */
  readonly class: DivergenceClass | 'reported';
  /** JSON pointer in the event; empty for the whole event. */
  readonly pointer: string;
  /** The number of the event in each log; null where that log has none there. */
  readonly sequence: { readonly source: number | null; readonly replay: number | null };
  readonly type: string;
  readonly nodeId: string | null;
}

/** What was found of one run: one line of an audit. */
export interface AuditLine {
  /** The run's id, or the pair's name. */
  readonly id: string;
  readonly verdict: 'same' | 'diverged' | 'undecided';
  readonly workflowId: string | null;
  /** Events that were compared and matched; absent where nothing could be compared. */
  readonly compared?: number;
  readonly matched?: number;
  readonly divergence?: AuditedDivergence;
  /** Why nothing was decided. */
  readonly reason?: string;
  /** The run that a host made for this. */
  readonly replayRunId?: string;
  /** Nothing was decided because the host could not be reached, or was not done yet: whoever goes on with the audit asks again. */
  readonly again?: true;
}

/** How many runs came to what. */
export interface AuditTotals {
  readonly runs: number;
  readonly same: number;
  readonly diverged: number;
  readonly undecided: number;
  /** Diverged runs by the class of the first divergence, by workflow and by node, the most first. */
  readonly byClass: Counted;
  readonly byWorkflow: Counted;
  readonly byNode: Counted;
}

/** Names with their counts, the most first. */
export type Counted = readonly (readonly [name: string, count: number])[];

/** Names that are counted one by one; what is more stands together. */
const MOST_NAMES = 1000;
const OTHERS = '(others)';

/** Counts lines as they come, in memory that does not grow with their number. */
export function createTotals(): { readonly add: (line: AuditLine) => void; readonly totals: () => AuditTotals } {
  const verdicts = { same: 0, diverged: 0, undecided: 0 };
  const [classes, workflows, nodes] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  return {
    add: ({ verdict, workflowId, divergence }) => {
      verdicts[verdict] += 1;
      if (divergence === undefined) return;
      count(classes, divergence.class);
      count(workflows, workflowId ?? '(unknown)');
      count(nodes, divergence.nodeId ?? '(no node)');
    },
    totals: () => ({
      runs: verdicts.same + verdicts.diverged + verdicts.undecided,
      ...verdicts,
      byClass: mostFirst(classes),
      byWorkflow: mostFirst(workflows),
      byNode: mostFirst(nodes),
    }),
  };
}

function count(names: Map<string, number>, name: string): void {
  const known = names.has(name) || names.size < MOST_NAMES ? name : OTHERS;
  names.set(known, (names.get(known) ?? 0) + 1);
}

function mostFirst(names: ReadonlyMap<string, number>): Counted {
  return [...names].toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
}

/**
 * 0 where all runs are the same, 1 where one diverged, 3 where nothing diverged and one, or all there is, was not decided. A shard that gets none of the
 * runs that are `listed` has nothing to decide: 0.
 */
export function auditExit({ diverged, undecided }: AuditTotals, listed: number): 0 | 1 | 3 {
  if (diverged > 0) return 1;
  return undecided > 0 || listed === 0 ? 3 : 0;
}
