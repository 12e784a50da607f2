import type { EventLog } from '../store/event-log.ts';
import type { EventType, RunEvent } from '../store/event.ts';
import { isTerminal } from '../store/event.ts';

/** A comment goes out at least this often (wire contract: every 30 s), so that proxies keep a quiet stream open. */
const HEARTBEAT_MS = 15_000;
const BATCH = 64;

export interface StreamRequest {
  readonly runId: string;
  /** Shows the events after this sequence number; all where it is undefined. */
  readonly after: number | undefined;
  readonly shows: (type: EventType) => boolean;
  readonly onWire: (event: RunEvent) => unknown;
}

/**
 * A run's events as server-sent events: past ones first, then each as it is written, to the end of the run. The log is
 * read as fast as the client takes it, so a slow client costs no memory.
 */
export function eventStream(log: EventLog, wanted: StreamRequest): Response {
  const gone = new AbortController();
  let cursor = wanted.after;
  const next = async (): Promise<{ readonly text: string; readonly done: boolean }> => {
    while (log.isOpen()) {
      const events = log.read(wanted.runId, cursor, BATCH);
      cursor = events.at(-1)?.sequence ?? cursor;
      const text = events
        .filter((event) => wanted.shows(event.type))
        .map((event) => frame(event, wanted))
        .join('');
      const last = log.last(wanted.runId);
      const done = last !== undefined && isTerminal(last.type) && last.sequence <= (cursor ?? last.sequence);
      if (done || text !== '') return { text, done };
      if (events.length > 0) continue;
      const outcome = await patience(log, wanted.runId, cursor, gone.signal);
      if (outcome === 'quiet') return { text: ': still here\n\n', done: false };
      if (outcome === 'closed') break;
    }
    return { text: '', done: true };
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { text, done } = await next();
      if (gone.signal.aborted) return;
      if (text !== '') controller.enqueue(new TextEncoder().encode(text));
      if (done) controller.close();
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

async function patience(
  log: EventLog,
  runId: string,
  after: number | undefined,
  gone: AbortSignal,
): Promise<'news' | 'quiet' | 'closed'> {
  const heartbeat = AbortSignal.timeout(HEARTBEAT_MS);
  if (await log.changed(runId, after, AbortSignal.any([gone, heartbeat]))) return 'news';
  return heartbeat.aborted && !gone.aborted ? 'quiet' : 'closed';
}

function frame(event: RunEvent, { onWire }: StreamRequest): string {
  return `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(onWire(event))}\n\n`;
}
