import { describe, expect, it } from 'vitest';
import { GREEN } from '../../test/sample-reports.ts';
import { verdictOf } from './closing.ts';

describe('the line of the verdict', () => {
  it('says where nothing that decides was asked for', () => {
    const checks = GREEN.checks.map((check) => ({ ...check, level: 'SHOULD' as const }));
    const advice = { ...GREEN, checks, verdict: 'inconclusive', exitCode: 3 } as const;
    expect(verdictOf(advice)).toBe(
      'inconclusive, no MUST row was asked for (--level should lets others decide) (exit code 3)',
    );
    expect(verdictOf({ ...advice, options: { level: 'should' } })).toBe('inconclusive (exit code 3)');
    expect(verdictOf(GREEN)).toBe('conformant (exit code 0)');
  });

  it('says that the evidence was cut off', () => {
    expect(verdictOf({ ...GREEN, verdict: 'inconclusive', exitCode: 3, endsEarly: true })).toBe(
      'inconclusive, the evidence ends early (exit code 3)',
    );
  });

  it('says which part of a run it is', () => {
    const options = { shard: { index: 2, of: 3 } };
    const counts = { pass: 0, fail: 0, inconclusive: 0, notApplicable: 0, error: 0 };
    expect(verdictOf({ ...GREEN, options })).toBe(
      'conformant, shard 2 of 3 (merge says what the whole run is) (exit code 0)',
    );
    expect(verdictOf({ ...GREEN, options, checks: [], counts, verdict: 'inconclusive', exitCode: 3 })).toBe(
      'inconclusive, shard 2 of 3, nothing fell to it (merge says what the whole run is) (exit code 3)',
    );
  });
});
