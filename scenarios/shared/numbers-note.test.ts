import { describe, expect, it } from 'vitest';
import { readRunEvent } from '../../src/host/run-event.ts';
import { notingDisorder } from './numbers-note.ts';

/** A run's events with these numbers. */
function side(name: string, ...numbers: readonly number[]) {
  const events = numbers.map((sequence, at) => readRunEvent({ eventId: `${at}`, type: 't', sequence, payload: {} }));
  return { name, events: events.filter((event) => event !== undefined) };
}

const different = {
  kind: 'different',
  mismatch: { expected: '1', actual: '2', diagnosis: { code: 'code', message: 'why' } },
} as const;

describe('a difference between two logs', () => {
  it('says that one of them repeats a number or goes back, beside what else it says', () => {
    const sides = [side('the source', 0, 1, 2), side('the replay', 0, 1, 1)];
    const note = 'sequence numbers are not unique and increasing in the replay: see sequence.monotonic';
    expect(notingDisorder(different, sides)).toEqual({
      kind: 'different',
      mismatch: { ...different.mismatch, reason: note },
    });
    expect(notingDisorder(different, [side('the replay', 0, 2, 1)])).toMatchObject({ mismatch: { reason: note } });
    const more = { kind: 'different', mismatch: { ...different.mismatch, reason: 'also at /payload' } } as const;
    expect(notingDisorder(more, sides)).toMatchObject({ mismatch: { reason: `also at /payload; ${note}` } });
  });

  it('is left alone where numbers are unique, and so is everything that is no difference', () => {
    expect(notingDisorder(different, [side('a', 0, 4), side('b', 1, 2)])).toBe(different);
    const same = { kind: 'same' } as const;
    expect(notingDisorder(same, [side('a', 0, 0)])).toBe(same);
  });
});
