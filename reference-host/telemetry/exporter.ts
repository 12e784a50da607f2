import { setTimeout as delay } from 'node:timers/promises';
import { askJson } from '../ask-json.ts';
import { exportBody } from './otlp.ts';
import type { Span } from './span.ts';

const PATIENCE_MS = 5_000;
/** Runs end in groups: their spans go together. */
const GATHERING_MS = 20;
const CLOSING_MS = 1_000;
const MAX_WAITING = 2_048;

/** Sends spans to a collector. What cannot be sent is lost: telemetry disturbs nothing. */
export interface Exporter {
  send(span: Span): void;
  /** Waits for what is still under way, a second at most. */
  close(): Promise<void>;
}

/** An exporter with one request at a time; spans that come shortly after, or meanwhile, go together with the next. */
export function createExporter(url: string): Exporter {
  const waiting: Span[] = [];
  const closing = new AbortController();
  const hurry = new AbortController();
  let sending: Promise<void> | undefined;

  const gathered = async (): Promise<void> => {
    if (!hurry.signal.aborted) await delay(GATHERING_MS, undefined, { signal: hurry.signal }).catch(() => {});
  };
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0 && !closing.signal.aborted) {
      await gathered();
      const body = exportBody(waiting.splice(0));
      await askJson({ method: 'POST', url, body, patienceMs: PATIENCE_MS, closing: closing.signal });
    }
    sending = undefined;
  };

  return {
    send(span) {
      if (waiting.length >= MAX_WAITING) waiting.shift();
      waiting.push(span);
      sending ??= sendAll();
    },
    async close() {
      hurry.abort();
      const timer = setTimeout(() => closing.abort(), CLOSING_MS);
      await sending;
      clearTimeout(timer);
    },
  };
}
