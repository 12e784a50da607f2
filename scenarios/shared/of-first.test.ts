import { describe, expect, it } from 'vitest';
import { replayOf, runAs, say } from '../../test/recorded-runs.ts';
import { asOfFirst, numberThere } from './of-first.ts';

/** A run whose events have these numbers; one below 0 is an event about the replay with its opposite. */
function numbered(role: string, numbers: readonly number[], more: object = {}) {
  const run = runAs(
    role,
    numbers.map((number) => say(number < 0 ? 'replay.noted' : 'log.appended')),
    more,
  );
  return {
    ...run,
    events: run.events.map((event, at) => ({ ...Object(event), sequence: Math.abs(numbers[at] ?? 0) })),
  };
}

const source = numbered('source', [11, 12, 13, 14]);

describe('the number of an event in another log', () => {
  it('is found by how many events stand before it, those about replays left out', () => {
    const fork = numbered('fork', [21, -22, 23, 25, 26], replayOf(source, 11));
    expect([11, 12, 13, 14].map((each) => numberThere(each, source, fork))).toEqual([21, 23, 25, 26]);
    expect(numberThere(25, fork, source)).toBe(13);
    const noted = numbered('noted', [-21, 22, 23], replayOf(source, 11));
    expect([11, 12].map((each) => numberThere(each, source, noted))).toEqual([21, 23]);
    expect(numberThere(14, source, numbered('short', [21]))).toBeUndefined();
  });
});

describe('a replay of a replay as one of the first run', () => {
  it('starts where one of the two executed for the first time', () => {
    const half = numbered('half', [11, 12, 24, 25], replayOf(source, 13));
    const startOf = (fromSeq: number, first = half) => {
      const second = numbered('second', [11, 12, 31, 32], replayOf(first, fromSeq));
      return asOfFirst({ source, first, second }).fork?.fromSeq;
    };
    expect([12, 24, 25, 99].map((each) => startOf(each))).toEqual([12, 13, 13, 13]);
    expect(startOf(24, numbered('whole', [21, 22, 23, 24], replayOf(source, 0)))).toBe(0);
    expect(asOfFirst({ source, first: half, second: half }).runId).toBe(half.runId);
    expect(asOfFirst({ source, first: half, second: source })).toBe(source);
  });
});
