import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/evidence/witness.ts';
import { createSpanStore } from '../../src/witness/traces.ts';
import type { Probe } from '../../src/host/probe.ts';
import { makeTrace, spanOf } from './run-span.ts';

const FORK = { sourceRunId: 'src', mode: 'replay', fromSeq: 0, advertised: true } as const;

/** The span of a fork of this source, which names no run. */
function ofFork(traceId: string, spanId: string): Span {
  const attributes = { 'openwop.replay.source_run_id': 'src' };
  return {
    name: 'openwop.run',
    traceId,
    spanId,
    parentSpanId: null,
    attributes,
    links: [],
    text: '',
  };
}

/** The spans that are taken for forks in these traces, one after the other, where these came. */
async function takenFor(traces: readonly ReturnType<typeof makeTrace>[], spans: readonly Span[]) {
  const witness = createSpanStore();
  witness.add(spans, 1);
  const probe = { witness, timeoutMs: 5, signal: new AbortController().signal } as unknown as Probe;
  const found: (string | undefined)[] = [];
  for (const trace of traces) {
    const span = await spanOf(probe, trace, { role: 'replay', runId: 'r', fork: FORK, exchanges: [] });
    found.push(span.context?.spanId);
  }
  return found;
}

describe('the span of a fork that names no run', () => {
  it('is that of its own trace, not of another fork of the same source', async () => {
    const [one, two] = [makeTrace(), makeTrace()];
    const spans = [ofFork(one.traceId, 'own-1'), ofFork(two.traceId, 'own-2')];
    expect(await takenFor([one, two], spans)).toEqual(['own-1', 'own-2']);
    expect(await takenFor([two], [ofFork(one.traceId, 'late')])).toEqual([undefined]);
  });

  it('is one that names its source, where the host keeps to no trace, and is taken once', async () => {
    const spans = [ofFork('trace-x', 'free-1'), ofFork('trace-y', 'free-2')];
    expect(await takenFor([makeTrace(), makeTrace(), makeTrace()], spans)).toEqual(['free-1', 'free-2', undefined]);
  });
});
