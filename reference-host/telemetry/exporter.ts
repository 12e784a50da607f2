import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { askJson } from '../ask-json.ts';
import type { JsonObject } from '../json.ts';
import { packageVersion } from '../package-files.ts';
import type { SpanAttributes, SpanContext, SpanPlace, SpanWords } from '../parts.ts';
import { isAboutReplay, type RunEvent } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';

const NAME = 'openwop-conformance-reference-host';
const INTERNAL = 1;
const STATUS = { unset: 0, error: 2 };

/** Spans as the body of an OTLP/HTTP export in JSON: ids in hexadecimal, times in nanoseconds, 64-bit numbers as text. */
function exportBody(spans: readonly Span[]): JsonObject {
  const version = packageVersion();
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues({ 'service.name': NAME, 'service.version': version }) },
        scopeSpans: [{ scope: { name: NAME, version }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan(span: Span): JsonObject {
  const { events, message } = span.words;
  const timeUnixNano = nanoseconds(span.endedAt);
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    name: 'openwop.run',
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: timeUnixNano,
    attributes: keyValues(span.attributes),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId, attributes: [] })),
    ...(events.length === 0
      ? {}
      : { events: events.map(({ name, attributes }) => ({ name, timeUnixNano, attributes: keyValues(attributes) })) }),
    status: { code: span.failed ? STATUS.error : STATUS.unset, ...(message === undefined ? {} : { message }) },
  };
}

function keyValues(attributes: SpanAttributes): JsonObject[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: SpanAttributes[string]): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(milliseconds) * 1_000_000n);
}

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

/** Where spans go, and how long one request may take, in milliseconds. */
export interface Collector {
  readonly url: string;
  readonly patienceMs: number;
}

/** An exporter with one request at a time; spans that come shortly after, or meanwhile, go together with the next. */
export function createExporter({ url, patienceMs }: Collector): Exporter {
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
      await askJson({ method: 'POST', url, body, patienceMs, closing: closing.signal });
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

/** The span of one run, its times in milliseconds since the epoch. */
export interface Span extends SpanContext, SpanPlace {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed: boolean;
  readonly attributes: SpanAttributes;
  readonly words: SpanWords;
}

/**
 * The span of a run whose log has ended, made from what is stored and nothing else, so that a restart changes nothing.
 * A fork is linked to its source's span, of which it is no child (wire contract, OpenTelemetry).
 */
export function runSpan(store: Pick<Store, 'events' | 'traceParents'>, run: RunRecord): Span {
  const own = store.events.read(run.runId).filter((event) => event.sequence >= (run.fork?.fromSeq ?? 0));
  const last = own.at(-1);
  return {
    ...contextOf(store, run.runId),
    parentSpanId: store.traceParents.get(run.runId)?.spanId,
    startedAt: millisecondsOf(own[0]),
    endedAt: millisecondsOf(last),
    failed: last?.type === 'run.failed',
    attributes: attributesOf(run, own),
    words: { events: [] },
    links: run.fork === undefined ? [] : [contextOf(store, run.fork.parentRunId)],
  };
}

/** The ids follow from the run's: a fork can name its source's span without having seen it. */
function contextOf({ traceParents }: Pick<Store, 'traceParents'>, runId: string): SpanContext {
  const traceId = traceParents.get(runId)?.traceId ?? derived('trace', runId, 32);
  return { traceId, spanId: derived('span', runId, 16) };
}

function derived(what: string, runId: string, digits: number): string {
  return createHash('sha256').update(`openwop ${what} ${runId}`).digest('hex').slice(0, digits);
}

function attributesOf({ runId, workflowId, fork }: RunRecord, own: readonly RunEvent[]): SpanAttributes {
  const run = { 'openwop.run_id': runId, 'openwop.workflow_id': workflowId };
  if (fork === undefined) return run;
  return {
    ...run,
    'openwop.replay.source_run_id': fork.parentRunId,
    'openwop.replay.from_seq': fork.fromSeq,
    'openwop.replay.mode': fork.mode,
    'openwop.replay.diverged': own.some((event) => isAboutReplay(event.type)),
  };
}

function millisecondsOf(event: RunEvent | undefined): number {
  return event === undefined ? 0 : Date.parse(event.timestamp);
}
