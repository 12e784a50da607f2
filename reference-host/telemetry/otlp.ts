import type { JsonObject } from '../json.ts';
import { packageVersion } from '../package-files.ts';
import type { SpanAttributes } from '../parts.ts';
import type { Span } from './span.ts';

const NAME = 'openwop-conformance-reference-host';
const INTERNAL = 1;
const STATUS = { unset: 0, error: 2 };

/** Spans as the body of an OTLP/HTTP export in JSON: ids in hexadecimal, times in nanoseconds, 64-bit numbers as text. */
export function exportBody(spans: readonly Span[]): JsonObject {
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
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    name: 'openwop.run',
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: keyValues(span.attributes),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId, attributes: [] })),
    status: { code: span.failed ? STATUS.error : STATUS.unset },
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
