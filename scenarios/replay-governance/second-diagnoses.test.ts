import { describe, expect, it } from 'vitest';
import { findRequirement } from '../../src/contract/requirements/index.ts';
import { secondDiagnoses } from './second-diagnoses.ts';

describe('the causes that the judges name', () => {
  it('are explained once each, and break requirements of the suite', () => {
    const codes = secondDiagnoses.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
    for (const { breaks, message } of secondDiagnoses) {
      expect(breaks.map((id) => findRequirement(id)?.suite)).toEqual(breaks.map(() => 'replay-governance'));
      expect(message).toMatch(/\.$/u);
    }
  });
});
