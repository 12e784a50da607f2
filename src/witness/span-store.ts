import type { Span, Witness } from '../evidence/witness.ts';

/** Spans, and bytes of the exports they came in, that are kept; the oldest go first. */
const KEPT_SPANS = 10_000;
const KEPT_SPAN_BYTES = 32 * 1024 * 1024;

/** The spans that came, and those who wait for one. */
export interface SpanStore extends Pick<Witness, 'span' | 'spanProblem'> {
  /** Adds the spans of one export of so many bytes. */
  add(spans: readonly Span[], bytes: number): void;
  /** Remembers why spans could not be read. */
  problem(text: string): void;
  /** Tells all who wait that nothing comes any more. */
  close(): void;
}

interface Waiter {
  readonly fits: (span: Span) => boolean;
  readonly give: (span: Span | undefined) => void;
}

/** Makes an empty store. */
export function createSpanStore(): SpanStore {
  const exports: { readonly spans: readonly Span[]; readonly bytes: number }[] = [];
  const waiting = new Set<Waiter>();
  let [spanCount, byteCount] = [0, 0];
  let problem: string | undefined;
  let closed = false;
  const keep = (spans: readonly Span[], bytes: number): void => {
    exports.push({ spans, bytes });
    spanCount += spans.length;
    byteCount += bytes;
    while (exports.length > 1 && (spanCount > KEPT_SPANS || byteCount > KEPT_SPAN_BYTES)) {
      const oldest = exports.shift();
      spanCount -= oldest?.spans.length ?? 0;
      byteCount -= oldest?.bytes ?? 0;
    }
  };
  return {
    add(spans, bytes) {
      if (spans.length === 0) return;
      keep(spans, bytes);
      for (const { fits, give } of waiting) {
        const found = spans.find(fits);
        if (found !== undefined) give(found);
      }
    },
    problem(text) {
      problem = text;
    },
    spanProblem: () => problem,
    span(fits, { timeoutMs, signal }) {
      const found = exports.flatMap(({ spans }) => spans).find(fits);
      if (found !== undefined || closed || signal.aborted) return Promise.resolve(found);
      return new Promise((resolve) => {
        const give = (span: Span | undefined): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          waiting.delete(waiter);
          resolve(span);
        };
        const stop = (): void => give(undefined);
        const waiter: Waiter = { fits, give };
        const timer = setTimeout(stop, timeoutMs);
        signal.addEventListener('abort', stop, { once: true });
        waiting.add(waiter);
      });
    },
    close() {
      closed = true;
      for (const { give } of waiting) give(undefined);
    },
  };
}
