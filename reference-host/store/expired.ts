import type { RunEvent } from './event.ts';
import type { Tables } from './tables.ts';

/** Through what a secret came into its run; `other` where it is told by a name that the run itself gave it. */
export type SecretOrigin = 'options' | 'tool' | 'model' | 'resume' | 'other';

/** What is kept of the events of a run that have expired: enough to show the run and to fork it from what is left. */
export interface Expired {
  /** The retention boundary: the number of the first event that is left. */
  readonly beforeSeq: number;
  /** The run's state before that event, packed. */
  readonly state: unknown;
  /** The expired events in their order, those about replays left out. */
  readonly events: readonly ExpiredEvent[];
  /** The secrets that were told by expired events; later ones may repeat them. */
  readonly secrets: readonly (readonly [text: string, origin: SecretOrigin])[];
  /** The runs that were dispatched by then. */
  readonly children: readonly string[];
}

/** What is known of an event that has expired: that it was there, and whom or which question it was about. */
export type ExpiredEvent = Pick<RunEvent, 'nodeId' | 'type' | 'payload'>;

export interface ExpiredRanges {
  get(runId: string): Expired | undefined;
  put(runId: string, expired: Expired): void;
}

/** What is kept of expired events, in a store's tables. */
export function createExpiredRanges({ table }: Tables): ExpiredRanges {
  const ranges = table('expired_ranges');
  return {
    get(runId) {
      const row = ranges.get({ run_id: runId });
      if (row === undefined) return undefined;
      const kept = JSON.parse(String(row['state'])) as Omit<Expired, 'beforeSeq'>;
      return { ...kept, beforeSeq: Number(row['before_seq']) };
    },
    put(runId, { beforeSeq, ...kept }) {
      ranges.insert({ run_id: runId, before_seq: beforeSeq, state: JSON.stringify(kept) }, 'replace');
    },
  };
}
