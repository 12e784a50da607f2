import { newId } from '../ids.ts';
import type { HostParts } from '../parts.ts';
import { isTerminal, type EventDraft } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { divergenceFinder } from './divergence.ts';

export interface WriterParts {
  readonly parts: HostParts;
  readonly store: Store;
}

/** Writes one event; false when the log takes no more, or not from this writer. */
export type Write = (draft: EventDraft) => boolean;

/** Writes into a run's log, the way every event of this host goes there. */
export function writer({ parts, store }: WriterParts, run: RunRecord): Write {
  return writing({ parts, store }, run, (draft) => store.events.append(run.runId, draft) !== undefined);
}

/**
 * The writer of a worker that carries a run out from where its log stands now. It is fenced: once another one has written,
 * what this one knows is stale, and nothing more is taken from it. The events of a replay are compared with the source's
 * as they are written; what the log holds has been compared before.
 */
export function workersWriter({ parts, store }: WriterParts, run: RunRecord): Write {
  let last = store.events.last(run.runId)?.sequence;
  const append = (draft: EventDraft): boolean => {
    const fenced = store.events.append(run.runId, draft, last);
    const written =
      fenced ?? (parts.ledger.refusesStale(run.runId) ? undefined : store.events.append(run.runId, draft));
    last = written?.sequence ?? last;
    return written !== undefined;
  };
  const { fork } = run;
  return writing(
    { parts, store },
    run,
    fork?.mode === 'replay' ? comparing({ parts, store }, { run, parentRunId: fork.parentRunId, append }) : append,
  );
}

interface Comparing {
  readonly run: RunRecord;
  readonly parentRunId: string;
  readonly append: Write;
}

/** A report follows its event, and goes before it only where the event ends the run. */
function comparing({ parts, store }: WriterParts, { run, parentRunId, append }: Comparing): Write {
  const find = divergenceFinder(store.events.read(parentRunId), run.runId);
  for (const event of store.events.read(run.runId)) find(event);
  return (draft) => {
    const report = find(draft);
    if (report === undefined) return append(draft);
    const named = { ...draft, eventId: newId('evt', store.now()) };
    const reports = parts.replay.diverged(report(named.eventId));
    const together = isTerminal(draft.type) ? [...reports, named] : [named, ...reports];
    return store.atomically(() => together.every(append), 'append-event');
  };
}

function writing({ parts, store }: WriterParts, run: RunRecord, write: Write): Write {
  const source = (): ReturnType<Store['events']['read']> =>
    run.fork === undefined ? [] : store.events.read(run.fork.parentRunId);
  return (draft) => parts.written(draft, { run, source }).every(write);
}
