import { describe, expect, it } from 'vitest';
import { findRequirement } from '../../src/contract/requirements/index.ts';
import { firstDiagnoses } from './first-diagnoses.ts';
import { replayGovernance } from './index.ts';

describe('the causes that the judges name', () => {
  it.each(firstDiagnoses)('$code breaks requirements of the suite', ({ breaks, message }) => {
    expect(breaks.map((id) => findRequirement(id)?.suite)).toEqual(breaks.map(() => 'replay-governance'));
    expect(message).toMatch(/\.$/u);
  });

  it('are explained once each in the whole suite', () => {
    const codes = replayGovernance.diagnoses?.map(({ code }) => code) ?? [];
    expect(codes).toEqual([...new Set(codes)]);
  });
});
