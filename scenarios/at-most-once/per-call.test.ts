import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../test/recorded-runs.ts';
import { perCallRuns, type PerCallFacts } from '../../test/per-call-runs.ts';
import { perCall, pointBetween } from './per-call.ts';

const ROW = 'once.idempotency-key.per-call';
const verdict = (uncut?: PerCallFacts, cut?: PerCallFacts): string => verdictOf(perCall, ROW, perCallRuns(uncut, cut));

describe('two calls in one node', () => {
  it('pass where each has its own key and result', () => {
    expect(verdict()).toBe('pass');
  });

  it('fail where the second one is given the result of the first, with a death and without', () => {
    expect(verdict({ keys: ['A', 'A'], calls: 1 })).toBe('fail injected-by-node');
    expect(verdict({}, { keys: ['A', 'A'], calls: 1 })).toBe('fail injected-by-node');
    expect(verdict({}, { nonces: ['n-1', 'n-1'], calls: 1 })).toBe('fail injected-by-node');
  });

  it('say nothing of hosts whose nodes make one call, or whose keys are others', () => {
    expect(verdict({ keys: ['A'], calls: 1 })).toBe('inconclusive');
    expect(verdict({ keys: ['x', 'y'] })).toBe('inconclusive');
    expect(verdict({ keyless: 'tool_invocation_finished' })).toBe('inconclusive');
  });

  it('say nothing where two calls were made and their events show no answer', () => {
    expect(verdict({ nonces: ['x', 'x'] })).toBe('inconclusive');
    expect(verdict({}, { nonces: ['x', 'x'] })).toBe('inconclusive');
    expect(verdict({ nonces: ['n-1', 'x'] })).toBe('fail injected-by-node');
  });

  it('say nothing where the run did not complete, was called too often, or nobody died', () => {
    expect(verdict({}, { more: { snapshot: { status: 'failed' }, log: [] } })).toBe('inconclusive');
    expect(verdict({}, { calls: 3 })).toBe('inconclusive');
    expect(verdict({}, { callsThen: 0 })).toBe('inconclusive');
    expect(verdict({}, { callsThen: 2 })).toBe('inconclusive');
    expect(verdict({}, { more: { deaths: [] } })).toBe('inconclusive');
    expect(verdict({}, { more: { notDriven: 'why' } })).toBe('inconclusive');
    expect(verdictOf(perCall, ROW, perCallRuns().slice(0, 1))).toBe('inconclusive');
    expect(verdictOf(perCall, ROW, [])).toBe('inconclusive');
  });

  it('are cut behind the commit of the first', () => {
    expect(pointBetween(['after-execute', 'before-ledger-commit', 'after-ledger-commit'])).toBe('after-ledger-commit');
    expect(pointBetween(['before-ledger-commit'])).toBe('before-ledger-commit');
    expect(pointBetween(['p'])).toBeUndefined();
  });
});
