import { describe, expect, it } from 'vitest';
import { event, run } from '../../test/fork-observations.ts';
import { numbersOf, REFUSED } from './refusal-table.ts';

/** What is requested two past the end of a log with these numbers. */
function past(...sequences: readonly number[]): unknown {
  const log = run('source', { events: sequences.map((sequence) => event(sequence, 'x')) });
  const request = REFUSED.find(({ name }) => name === 'two past the last event');
  return JSON.parse(String(request?.send(numbersOf(log)).body));
}

describe('a replay from two past the end', () => {
  it('begins behind the next number that is free', () => {
    expect(past(0, 1, 2)).toEqual({ mode: 'replay', fromSeq: 4 });
    expect(past(0, 2, 4)).toEqual({ mode: 'replay', fromSeq: 7 });
    expect(past(5)).toEqual({ mode: 'replay', fromSeq: 7 });
  });
});
