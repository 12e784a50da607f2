import type { Annotation, AnnotationStore } from '../store/beside-logs.ts';
import { isTerminal, type EventType, type RunEvent } from '../store/event.ts';
import type { Store } from '../store/store.ts';

/** A comment goes out at least this often (wire contract: every 30 s), so that proxies keep a quiet stream open. */
const HEARTBEAT_MS = 15_000;
const BATCH = 64;

export interface StreamRequest {
  readonly runId: string;
  /** Shows the events after this sequence number; all where it is undefined. */
  readonly after: number | undefined;
  readonly shows: (type: EventType) => boolean;
  readonly onWire: (event: RunEvent) => unknown;
  readonly noteOnWire: (annotation: Annotation) => unknown;
  readonly isTold: (annotation: Annotation) => boolean;
  /** Called when nothing more is sent; it may be called again. */
  readonly ended: () => void;
}

export const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/**
 * A run's events as server-sent events: past ones first, then each as it is written, to the end of the run. The log is
 * read as fast as the client takes it, so a slow client costs no memory. Between them, without a number, what is said about
 * the run while the stream is open.
 */
export function eventStream(
  { events: log, annotations }: Pick<Store, 'events' | 'annotations'>,
  wanted: StreamRequest,
): Response {
  const gone = new AbortController();
  const notes = newNotes(annotations, wanted.runId);
  let cursor = wanted.after;
  const next = async (): Promise<{ readonly text: string; readonly done: boolean }> => {
    let patient: AbortSignal | undefined;
    while (log.isOpen()) {
      const said = notes()
        .filter(wanted.isTold)
        .map((annotation) => notice(annotation, wanted))
        .join('');
      const events = log.read(wanted.runId, cursor, BATCH);
      cursor = events.at(-1)?.sequence ?? cursor;
      const shown = events.filter((event) => wanted.shows(event.type));
      const text = said + shown.map((event) => frame(event, wanted)).join('');
      const last = log.last(wanted.runId);
      const done = last !== undefined && isTerminal(last.type) && last.sequence <= (cursor ?? last.sequence);
      if (done || text !== '') return { text, done };
      if (events.length > 0) continue;
      patient ??= AbortSignal.timeout(HEARTBEAT_MS);
      if (await log.changed(wanted.runId, cursor, AbortSignal.any([gone.signal, patient]))) continue;
      if (!patient.aborted || gone.signal.aborted) break;
      return { text: ': still here\n\n', done: false };
    }
    return { text: '', done: true };
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { text, done } = await next();
        if (gone.signal.aborted) return;
        if (text !== '') controller.enqueue(new TextEncoder().encode(text));
        if (!done) return;
        wanted.ended();
        controller.close();
      } catch (error) {
        wanted.ended();
        throw error;
      }
    },
    cancel: () => {
      wanted.ended();
      gone.abort();
    },
  });
  return new Response(body, { headers: STREAM_HEADERS });
}

/** Gives, each time, what was said about a run since it was asked before; nothing of what was said before the first time. */
function newNotes(annotations: AnnotationStore, runId: string): () => readonly Annotation[] {
  const known = new Set(annotations.of(runId).map(({ annotationId }) => annotationId));
  return () => {
    const fresh = annotations.of(runId).filter(({ annotationId }) => !known.has(annotationId));
    for (const { annotationId } of fresh) known.add(annotationId);
    return fresh;
  };
}

/** A live notification: it is in no log, so it has no number and no id to go on from (replay.md, Annotations and fork). */
function notice(annotation: Annotation, { noteOnWire }: StreamRequest): string {
  const { runId, createdAt } = annotation;
  const data = { type: 'run.annotated', runId, payload: noteOnWire(annotation), timestamp: createdAt };
  return `event: run.annotated\ndata: ${JSON.stringify(data)}\n\n`;
}

function frame(event: RunEvent, { onWire }: StreamRequest): string {
  return `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(onWire(event))}\n\n`;
}
