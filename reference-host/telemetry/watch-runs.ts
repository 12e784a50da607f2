import type { EventLog } from '../store/event-log.ts';
import { isTerminal, type RunEvent } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { type Collector, createExporter, type Exporter, runSpan, type Span } from './exporter.ts';

export interface Telemetry {
  /** The store to work with: whatever ends a run there is noticed. */
  readonly store: Store;
  /** Waits for the spans under way, in bounded time. The store must still be open. */
  close(): Promise<void>;
}

/** The span of a run as it is exported. */
type Shown = (span: Span, run: RunRecord) => Span;

/** Exports one span for each run that ends in the store; nothing where there is no collector. */
export function watchRuns(store: Store, shown: Shown, collector: Collector | undefined): Telemetry {
  if (collector === undefined) return { store, close: async () => undefined };
  const exporter = createExporter(collector);
  const ended = (event: RunEvent): void =>
    void sendSpan(store, { exporter, shown }, event.runId).catch(() => undefined);
  return { store: { ...store, events: watched(store.events, ended) }, close: () => exporter.close() };
}

interface Sending {
  readonly exporter: Exporter;
  readonly shown: Shown;
}

/** The event may stand in a transaction that has yet to end. */
async function sendSpan(store: Store, { exporter, shown }: Sending, runId: string): Promise<void> {
  await Promise.resolve();
  const run = store.runs.get(runId);
  if (run === undefined) return;
  exporter.send(shown(runSpan(store, run), run));
}

/** The log, with word of every event that ends a run. */
function watched(log: EventLog, ended: (event: RunEvent) => void): EventLog {
  const seen = (event: RunEvent | undefined): RunEvent | undefined => {
    if (event !== undefined && isTerminal(event.type)) ended(event);
    return event;
  };
  return {
    ...log,
    append: (runId, draft, last) => seen(log.append(runId, draft, last)),
  };
}
