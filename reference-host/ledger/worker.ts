import type { Decision, Found } from '../policies/decide.ts';

/** One worker's way through a run: an attempt, and what it has begun itself. */
export interface Worker {
  /** The attempt's id; claimed when it is first needed, and the same from then on. */
  attempt(): string;
  /** The calls that this worker has begun to execute, by idempotency key. */
  readonly begun: Set<string>;
}

/** A worker; `claim` gives the run's next attempt. */
export function createWorker(claim: () => string): Worker {
  let attempt: string | undefined;
  return {
    attempt: () => {
      attempt ??= claim();
      return attempt;
    },
    begun: new Set(),
  };
}

/** What a worker found when it came to a tool call, and what was decided. */
export interface DecisionRecord {
  readonly nodeId: string;
  readonly attempt: string;
  readonly decision: Decision['kind'];
  readonly found: Pick<Found, 'stream' | 'ledger' | 'effect'>;
}

/** What this process has decided about tool calls, and counted, for tests to read. */
export interface LedgerDiary {
  note(runId: string, record: DecisionRecord): void;
  decisions(runId: string): readonly DecisionRecord[];
  /** Counts a verification that failed and was only warned about (provable-semantics §5). */
  warn(runId: string): void;
  /** ConfirmationReplayWarnTotal of a run. */
  warnings(runId: string): number;
}

/** Runs that the diary remembers; the oldest go first. */
const REMEMBERED = 1_000;

/** An empty diary. */
export function createDiary(): LedgerDiary {
  const pages = new Map<string, { readonly decisions: DecisionRecord[]; warnings: number }>();
  const page = (runId: string) => {
    const found = pages.get(runId) ?? { decisions: [], warnings: 0 };
    pages.set(runId, found);
    const [oldest] = pages.keys();
    if (pages.size > REMEMBERED && oldest !== undefined) pages.delete(oldest);
    return found;
  };
  return {
    note: (runId, record) => void page(runId).decisions.push(record),
    decisions: (runId) => pages.get(runId)?.decisions ?? [],
    warn: (runId) => void (page(runId).warnings += 1),
    warnings: (runId) => pages.get(runId)?.warnings ?? 0,
  };
}
