import type { HostParts } from '../parts.ts';
import type { EventDraft } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { divergenceFinder } from './divergence.ts';

export interface WriterParts {
  readonly parts: HostParts;
  readonly store: Store;
}

/** Writes one event; false when the log takes no more. */
export type Write = (draft: EventDraft) => boolean;

/** Writes into a run's log, the way every event of this host goes there. */
export function writer({ parts, store }: WriterParts, run: RunRecord): Write {
  return writing({ parts, store }, run, (draft) => store.events.append(run.runId, draft) !== undefined);
}

/** Like `writer`, for a replay: it is compared with its source as it is written; what its log holds has been compared before. */
export function comparingWriter({ parts, store }: WriterParts, run: RunRecord, parentRunId: string): Write {
  const { events } = store;
  const find = divergenceFinder(events.read(parentRunId), run.runId);
  for (const event of events.read(run.runId)) find(event);
  return writing({ parts, store }, run, (draft) => {
    const report = find(draft);
    if (report === undefined) return events.append(run.runId, draft) !== undefined;
    const reports = (eventId: string): readonly EventDraft[] => parts.replay.diverged(report(eventId));
    return store.atomically(() => events.appendReported(run.runId, draft, reports)) !== undefined;
  });
}

function writing({ parts, store }: WriterParts, run: RunRecord, write: Write): Write {
  const source = (): ReturnType<Store['events']['read']> =>
    run.fork === undefined ? [] : store.events.read(run.fork.parentRunId);
  return (draft) => parts.written(draft, { run, source }).every(write);
}
