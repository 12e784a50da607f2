import { describe, expect, it } from 'vitest';
import { isMisnumbered, isRecord, isReduced, isUnnamed, readRunEvent } from './run-event.ts';

const event = { eventId: 'e', type: 't', sequence: 0, payload: null };

describe('readRunEvent', () => {
  it('reads the first form, and keeps it as it was sent', () => {
    const raw = { ...event, nodeId: 'n', causationId: 'c', more: 1 };
    expect(readRunEvent(raw)).toEqual({
      eventId: 'e',
      type: 't',
      sequence: 0,
      nodeId: 'n',
      causationId: 'c',
      payload: null,
      raw,
    });
  });

  it('reads seq and data in the places of sequence and payload, and null as absent', () => {
    expect(readRunEvent({ eventId: 'e', type: 't', seq: 3, data: [1], nodeId: null })).toMatchObject({
      sequence: 3,
      payload: [1],
      nodeId: undefined,
    });
  });

  it('prefers sequence and payload where both are there', () => {
    expect(readRunEvent({ ...event, seq: 9, data: 'd' })).toMatchObject({ sequence: 0, payload: null });
  });

  it.each([
    null,
    [],
    'text',
    {},
    { ...event, eventId: 1 },
    { ...event, type: undefined },
    { ...event, sequence: '0' },
    { ...event, sequence: 0.5 },
    { ...event, sequence: Number.POSITIVE_INFINITY },
  ])('takes %j for no event', (value) => {
    expect(readRunEvent(value)).toBeUndefined();
  });
});

describe('what keeps a value from being a whole event', () => {
  const bare = { eventId: 'e', type: 't', sequence: 0 };

  it('reads an event without a payload, which may be a reduced one of a stream', () => {
    expect(readRunEvent(bare)).toMatchObject({ payload: null });
    expect([bare, {}, 'text', null].map(isReduced)).toEqual([true, true, true, true]);
    expect([event, { ...bare, data: 1 }].map(isReduced)).toEqual([false, false]);
  });

  it.each([
    [event, { isMisnumbered: false, isUnnamed: false }],
    [bare, { isMisnumbered: false, isUnnamed: false }],
    [
      { ...event, sequence: '0' },
      { isMisnumbered: true, isUnnamed: false },
    ],
    [
      { ...event, eventId: undefined },
      { isMisnumbered: false, isUnnamed: true },
    ],
    [
      { ...event, type: 7 },
      { isMisnumbered: false, isUnnamed: true },
    ],
    [{ sequence: 0 }, { isMisnumbered: false, isUnnamed: false }],
    ['text', { isMisnumbered: false, isUnnamed: false }],
  ])('%j: %j', (value, expected) => {
    expect({ isMisnumbered: isMisnumbered(value), isUnnamed: isUnnamed(value) }).toEqual(expected);
  });
});

describe('isRecord', () => {
  it('is true for objects only', () => {
    expect([{}, [], null, 'a', 1].map(isRecord)).toEqual([true, false, false, false, false]);
  });
});
