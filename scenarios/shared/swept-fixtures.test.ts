import { describe, expect, it } from 'vitest';
import { SWEPT } from './swept-fixtures.ts';

describe('a short sweep', () => {
  const kept = SWEPT.filter(({ like }) => like === undefined).map(({ workflowId }) => workflowId);

  it('leaves out only what a fixture that it keeps stands for', () => {
    expect(SWEPT.flatMap(({ like }) => like ?? []).filter((like) => !kept.includes(like))).toEqual([]);
  });

  it('keeps concurrent branches and tools', () => {
    expect(kept).toContain('conformance-determinism-parallel');
    expect(kept).toContain('conformance-determinism-side-effects');
  });
});
