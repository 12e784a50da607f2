import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { EvidenceFull } from '../evidence/budget.ts';
import { stopping, whyStopped } from './stopped.ts';

const never = (): AbortSignal => new AbortController().signal;

describe('stopping', () => {
  it('aborts when the time is up, and says how much that was', async () => {
    const { signal } = stopping([never()], 1);
    await once(signal, 'abort');
    expect(whyStopped(signal)).toBe('the run was not over within 1 ms (--max-time)');
  });

  it('aborts with any of the signals, also with one that did before', () => {
    const full = new AbortController();
    const { signal, cancel } = stopping([never(), full.signal], undefined);
    expect(signal.aborted).toBe(false);
    full.abort(new EvidenceFull('the evidence is full'));
    expect(whyStopped(signal)).toBe('the evidence is full');
    expect(whyStopped(stopping([AbortSignal.abort()], undefined).signal)).toBe('the run was interrupted');
    cancel();
  });

  it('does nothing once it was cancelled', () => {
    const outer = new AbortController();
    const { signal, cancel } = stopping([outer.signal], 1);
    cancel();
    outer.abort();
    expect(signal.aborted).toBe(false);
  });
});
