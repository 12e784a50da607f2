import { describe, expect, it } from 'vitest';
import { findRequirement, REQUIREMENTS, requirementOf } from './index.ts';

describe('the requirement register', () => {
  it('has no id twice', () => {
    expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(REQUIREMENTS.length);
  });

  it.each(REQUIREMENTS)('says of $id what it demands, and where that stands', ({ clause, source }) => {
    expect(clause.length).toBeGreaterThan(10);
    expect(source).toMatch(/^(?:0041|0037|replay|sem|wire)\b/u);
  });

  it('says of a row whether it is a must, and of which group it is', () => {
    expect(findRequirement('fork.created')).toMatchObject({ level: 'MUST', suite: 'fork-contract' });
    expect(findRequirement('diff.shape')).toMatchObject({ level: 'SHOULD', suite: 'fork-contract' });
  });

  it.each(['', 'discovery', 'discovery.nothing', 'constructor', '__proto__'])('knows no row %j', (id) => {
    expect(findRequirement(id)).toBeUndefined();
  });

  it('finds the row of a check by the longest beginning of its name', () => {
    expect(requirementOf('schema.run-event.wire.of-a-fork')).toBe('schema.run-event.wire');
    expect(() => requirementOf('no.such')).toThrow('no.such: no requirement of this name');
  });
});
