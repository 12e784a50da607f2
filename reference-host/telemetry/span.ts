import { createHash } from 'node:crypto';
import type { SpanAttributes, SpanContext, SpanPlace } from '../parts.ts';
import { isAboutReplay, type RunEvent } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';

/** The span of one run, its times in milliseconds since the epoch. */
export interface Span extends SpanContext, SpanPlace {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed: boolean;
  readonly attributes: SpanAttributes;
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
