import { randomBytes } from 'node:crypto';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Span } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunObservation } from './run-observation.ts';

/** A trace of its own, and the header that puts a request into it. */
interface Trace {
  readonly traceId: string;
  readonly headers: { readonly traceparent: string };
}

/** The ids of traces that were made for one run each, and of spans that were taken for one. */
const taken = new Set<string>();

export function makeTrace(): Trace {
  const traceId = randomBytes(16).toString('hex');
  taken.add(traceId);
  return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` } };
}

/** Which span a link names. */
export type SpanLink = Span['links'][number];

/** The span of a run, where it came in time. */
export interface SpanObservation extends Observation {
  readonly type: 'span';
  /** The role of the run. */
  readonly role: string;
  readonly attributes: { readonly [name: string]: Json } | null;
  /** Ids in lower case; null where there is no span, absent in old evidence, as links and the parent are. */
  readonly context?: SpanLink | null;
  readonly links?: readonly SpanLink[];
  /** The span that it is a child of; null where of none. */
  readonly parentSpanId?: string | null;
  /** Why none could be read. */
  readonly problem: string | null;
}

/** Waits for the span of a run that was made in this trace. */
export async function spanOf(
  probe: Probe,
  { traceId }: Trace,
  run: Pick<RunObservation, 'role' | 'runId' | 'fork' | 'exchanges'>,
): Promise<SpanObservation> {
  const wait = { timeoutMs: probe.timeoutMs, signal: probe.signal };
  const span = await probe.witness?.span((each) => isOf(each, traceId, run), wait);
  const common = { type: 'span', role: run.role, exchanges: run.exchanges } as const;
  if (span !== undefined) {
    const { attributes, links, spanId, parentSpanId } = span;
    taken.add(spanId);
    return { ...common, attributes, context: { traceId: span.traceId, spanId }, links, parentSpanId, problem: null };
  }
  const late = `no span openwop.run of the ${run.role} came within ${wait.timeoutMs} ms`;
  return { ...common, attributes: null, context: null, links: [], problem: probe.witness?.spanProblem() ?? late };
}

/**
 * A run's span is called openwop.run; it names its run, or is in the trace in which that was made, or else names its source: one that is
 * in another run's trace, or was taken for another run, may be that of another fork.
 */
function isOf(span: Span, traceId: string, { runId, fork }: Pick<RunObservation, 'runId' | 'fork'>): boolean {
  if (span.name !== 'openwop.run') return false;
  const named = span.attributes['openwop.run_id'];
  if (named !== undefined) return named === runId;
  if (span.traceId === traceId) return true;
  if (taken.has(span.traceId) || taken.has(span.spanId)) return false;
  return fork !== null && span.attributes['openwop.replay.source_run_id'] === fork.sourceRunId;
}
