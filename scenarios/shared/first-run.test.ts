import { describe, expect, it } from 'vitest';
import { isForAll, standIns } from './first-run.ts';

describe('what stands in for the public workflows', () => {
  it('comes to an end by itself: nobody is waited for, and nothing that rows stage is asked', () => {
    const waiting = ['conformance-approval', 'conformance-cancellable', 'conformance-orchestrator-low-confidence'];
    const asking = ['conformance-phase4-replay-divergence', 'conformance-envelope-truncated'];
    const ours = ['conformance-determinism-interrupt', 'conformance-determinism-side-effects'];
    expect(standIns([...waiting, ...asking, ...ours])).toEqual([]);
  });

  it('is a vendor’s own as well, in the order of the host', () => {
    const advertised = ['conformance-approval', 'acme-invoice', 'conformance-identity'];
    expect(standIns(advertised)).toEqual(['acme-invoice', 'conformance-identity']);
  });

  it('fails only where nothing else is there', () => {
    const advertised = ['conformance-failure', 'conformance-identity'];
    expect(standIns(advertised)).toEqual(['conformance-identity', 'conformance-failure']);
  });

  it('is a few of many', () => {
    expect(standIns(Array.from({ length: 80 }, (_, index) => `acme-${index}`))).toHaveLength(8);
  });
});

describe('a workflow that any row may run', () => {
  it('takes no answer of a model from another row', () => {
    expect(isForAll('conformance-phase4-nondet-tool')).toBe(false);
    expect(isForAll('conformance-determinism-llm-gate')).toBe(false);
    expect(isForAll('conformance-approval')).toBe(true);
    expect(isForAll('acme-llm-invoice')).toBe(true);
  });
});
