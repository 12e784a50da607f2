import type { TraceParent, TraceParents } from '../store/beside-logs.ts';

/** Keeps the span that a creating request says it belongs to; a header that is none is passed over. */
export function recordTraceParent(parents: TraceParents, runId: string, headers: Headers): void {
  const parent = readTraceParent(headers.get('traceparent') ?? '');
  if (parent !== undefined) parents.record(runId, parent);
}

/** W3C Trace Context: version 00 has four fields, a later version may add some, version ff is none. */
const TRACEPARENT =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;

/** The caller's span, or undefined where the text is no traceparent or names no span. */
export function readTraceParent(text: string): TraceParent | undefined {
  const { version, traceId, spanId, more } = TRACEPARENT.exec(text)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId };
}
