import { describe, expect, it } from 'vitest';
import { KEPT_EVENTS, createEventLog } from './event-log.ts';
import { readRunEvent, type RunEvent } from '../run-event.ts';

function event(sequence: number, type = 't', eventId = `e${sequence}`): RunEvent {
  const raw = { eventId, type, sequence, payload: null };
  return { ...raw, nodeId: undefined, causationId: undefined, raw };
}

function large(sequence: number) {
  return { eventId: `e${sequence}`, type: 't', sequence, payload: 'x'.repeat(50_000) };
}

describe('createEventLog', () => {
  it('passes over what an earlier answer held and counts what is new', () => {
    const log = createEventLog();
    expect(log.add([event(0), event(1)])).toBe(2);
    expect(log.add([event(1), event(2)])).toBe(1);
    expect(log.events.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  });

  it('keeps what one answer holds twice: that is the host’s own log', () => {
    const log = createEventLog();
    log.add([event(0), event(0), event(1)]);
    expect(log.events).toHaveLength(3);
  });

  it('keeps two events that share an id or a sequence number', () => {
    const log = createEventLog();
    log.add([event(0, 't', 'same')]);
    log.add([event(1, 't', 'same'), event(0, 't', 'other')]);
    expect(log.events).toHaveLength(3);
  });

  it('knows the highest sequence number and the end', () => {
    const log = createEventLog();
    expect([log.lastSequence(), log.hasEnded()]).toEqual([undefined, false]);
    log.add([event(4), event(2)]);
    expect([log.lastSequence(), log.hasEnded()]).toEqual([4, false]);
    log.add([event(3, 'run.failed')]);
    expect(log.hasEnded()).toBe(true);
  });

  it('is full when more came than is kept, not before', () => {
    const log = createEventLog();
    log.add(Array.from({ length: KEPT_EVENTS }, (_, at) => event(at)));
    expect(log.isFull()).toBe(false);
    log.add([event(KEPT_EVENTS)]);
    expect(log.isFull()).toBe(true);
    expect(log.events).toHaveLength(KEPT_EVENTS);
  });

  it('takes a very long answer at once', () => {
    const log = createEventLog();
    log.add(Array<RunEvent>(300_000).fill(event(0)));
    expect(log.isFull()).toBe(true);
  });

  it('keeps large answers packed, in their order, and gives them as the host sent them', () => {
    const log = createEventLog();
    const sent = [0, 1, 2, 3, 4].map(large);
    const events = sent.map(readRunEvent).filter((each) => each !== undefined);
    log.add(events.slice(0, 2));
    log.add(events.slice(0, 3));
    log.add(events.slice(3));
    expect(log.events).toEqual(events);
    const kept: { events?: unknown } = {};
    log.keepIn(kept, 'events');
    expect(kept.events).toEqual(sent);
  });

  it('is full when it holds more characters than are kept', () => {
    const log = createEventLog();
    const raw = { payload: 'x'.repeat(12 * 1024 * 1024) };
    for (const sequence of [0, 1]) log.add([{ ...event(sequence), raw }]);
    expect(log.isFull()).toBe(false);
    log.add([{ ...event(2), raw }]);
    expect(log.isFull()).toBe(true);
  });
});
