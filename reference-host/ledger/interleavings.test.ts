import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPureBench, type Acquiring } from '../../test/interleavings-model.ts';
import { mishapOutcome, play, schedules, tally, wholeOutcome, withMishaps } from '../../test/schedules.ts';
import { EVERY_PLACE } from '../../test/sampled.ts';

const SEVEN = schedules(7);

describe('two workers at one call', () => {
  it('call once in all 3,432 schedules, and both have the result', () => {
    expect(SEVEN).toHaveLength(3_432);
    const outcomes = SEVEN.map((order) => {
      const bench = createPureBench();
      return wholeOutcome(bench, play({ bench, order }));
    });
    expect(tally(outcomes)).toEqual({ 'one waited': 3_360, 'one came late': 72 });
  });
});

describe('two workers that look in one turn and make the record in the next', () => {
  const EIGHT = schedules(8);
  const counts = (acquiring: Acquiring, fenced: boolean): Record<string, number> =>
    tally(
      EIGHT.map((order) => {
        const bench = createPureBench(fenced);
        return wholeOutcome(bench, play({ bench, order, acquiring }));
      }),
    );

  it('call once in all 12,870 schedules where the record is made only if there is none', () => {
    expect(EIGHT).toHaveLength(12_870);
    expect(counts('a turn later', true)).toEqual({ 'one waited': 12_188, 'one came late': 682 });
  });

  it('call once where it is made whatever is there, as long as the stream is fenced', () => {
    expect(counts('a turn later, whatever is there', true)).toEqual({ 'one waited': 11_068, 'one came late': 1_802 });
  });

  it('are caught where it is made whatever is there and nothing is fenced: the enumeration can fail', () => {
    const {
      'one waited': waited,
      'one came late': late,
      ...failing
    } = counts('a turn later, whatever is there', false);
    expect([waited, late]).toEqual([4_124, 34]);
    expect(failing).toEqual({
      '2 calls, not one executed, not the recorded result, events': 2_356,
      '2 calls, not one executed, not the recorded result, events, record': 4_508,
      events: 1_848,
    });
  });
});

describe('a worker', () => {
  it('that dies after any of its steps leaves the recorded result, or doubt in window 2 and nowhere else', () => {
    expect(withMishaps(createPureBench, SEVEN, 'dies')).toEqual({
      recorded: 24_024,
      'in doubt, owner gone in window 2': 3_432,
    });
  });

  it('that loses its lease after any of its steps, and goes on, neither calls again nor writes among what another does', () => {
    expect(withMishaps(createPureBench, SEVEN, 'loses its lease')).toEqual({ recorded: 25_524, 'in doubt': 1_932 });
  });
});

describe('three workers, two of which die or lose their lease', () => {
  const mishap = fc.record({
    worker: fc.nat(2),
    after: fc.nat(7),
    kind: fc.constantFrom('dies' as const, 'loses its lease' as const),
  });
  const order = fc.shuffledSubarray(
    Array.from({ length: 21 }, (_, index) => index % 3),
    { minLength: 21 },
  );

  const numRuns = EVERY_PLACE ? 10_000 : 2_000;

  it('call at most once and agree, in so many schedules by seed', () => {
    const outcomes: string[] = [];
    fc.assert(
      fc.property(order, fc.array(mishap, { maxLength: 2 }), (turns, mishaps) => {
        const bench = createPureBench();
        const outcome = mishapOutcome(bench, play({ bench, order: turns, mishaps }));
        outcomes.push(outcome);
        return outcome === 'recorded' || outcome === 'in doubt';
      }),
      { seed: 20_261_121, numRuns },
    );
    expect(outcomes).toHaveLength(numRuns);
    expect(new Set(outcomes)).toEqual(new Set(['recorded', 'in doubt']));
  });
});
