import { describe, expect, it } from 'vitest';
import { createEvidenceBudget, EvidenceFull } from './budget.ts';

const MB = 1_000_000;

describe('createEvidenceBudget', () => {
  it('keeps less and less of a body, headers last, and stops the run in the end', () => {
    const budget = createEvidenceBudget();
    const kept = () => [budget.keptOfBody(16_384), budget.keepsHeaders(), budget.full.aborted];
    expect(kept()).toEqual([16_384, true, false]);
    budget.spend(40 * MB);
    expect(kept()).toEqual([1024, true, false]);
    budget.spend(20 * MB);
    expect(kept()).toEqual([0, false, false]);
    budget.spend(20 * MB);
    expect(kept()).toEqual([0, false, true]);
    expect(budget.full.reason).toBeInstanceOf(EvidenceFull);
  });

  it('refuses an observation that does not fit, of one scenario or of all', () => {
    const budget = createEvidenceBudget();
    budget.spendOnObservation('a', 30 * MB);
    expect(() => budget.spendOnObservation('a', 11 * MB)).toThrow(EvidenceFull);
    budget.spendOnObservation('b', 40 * MB);
    budget.spendOnObservation('c', 20 * MB);
    expect(() => budget.spendOnObservation('d', 10 * MB)).toThrow(/too large to be kept/);
  });
});
