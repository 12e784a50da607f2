import { describe, expect, it } from 'vitest';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { changedMember } from './changed-member.ts';

function event(more: object = {}): RunEvent {
  const read = readRunEvent({ eventId: 'e', type: 't', sequence: 1, payload: { a: 1, b: [2] }, ...more });
  if (read === undefined) throw new Error('no event');
  return read;
}

const AT = { timestamp: '2026-01-01T00:00:00.000Z' };

describe('changedMember', () => {
  it('finds none where the readings agree in what both have', () => {
    expect(changedMember(event(AT), event(AT))).toBeUndefined();
    expect(changedMember(event(AT), event())).toBeUndefined();
    expect(changedMember(event({ payload: { a: 1, b: 2 } }), event({ payload: { b: 2, a: 1 } }))).toBeUndefined();
    const other = readRunEvent({ eventId: 'e', type: 't', seq: 1, data: { b: [2], a: 1 } });
    expect(changedMember(event(), other as RunEvent)).toBeUndefined();
  });

  it('finds a clock that was set anew, and not one that is written otherwise', () => {
    const later = event({ timestamp: '2026-01-01T00:00:00.001Z' });
    expect(changedMember(event(AT), later)).toEqual({
      name: 'timestamp',
      first: '"2026-01-01T00:00:00.000Z"',
      second: '"2026-01-01T00:00:00.001Z"',
    });
    expect(changedMember(event(AT), event({ timestamp: '2026-01-01T00:00:00+00:00' }))).toBeUndefined();
    expect(changedMember(event(AT), later, new Set(['timestamp']))).toBeUndefined();
  });
});
