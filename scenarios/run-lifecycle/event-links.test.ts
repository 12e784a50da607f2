import { describe, expect, it } from 'vitest';
import { event } from '../../test/fork-observations.ts';
import type { Json } from '../../src/evidence/types.ts';
import { beginningsIn, forkTimeFaults, linkFaults } from './event-links.ts';

const at = (timestamp: string, more: object = {}) => ({ timestamp, ...more });
const [TEN, ELEVEN] = ['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z'];

/** The faults of all events of a log. */
function faults(...events: readonly Json[]): readonly string[] {
  const faultsOf = linkFaults({ events });
  return events.flatMap((each) => faultsOf(each)).map(({ pointer, wrong }) => `${pointer} ${wrong}`);
}

const first = event(0, 'run.started', at(TEN, { eventId: 'a' }));

describe('what events say of each other', () => {
  it('may be that one before was the cause, or one of another log', () => {
    expect(faults(first, event(1, 'node.started', at(ELEVEN, { causationId: 'a' })))).toEqual([]);
    expect(faults(first, event(1, 'node.started', at(TEN, { causationId: 'elsewhere' })))).toEqual([]);
    expect(faults(first, event(1, 'node.started', at('2026-01-01T09:59:30Z', { causationId: null })))).toEqual([]);
  });

  it('may be that what comes from outside is its own cause', () => {
    expect(faults(event(0, 'run.started', at(TEN, { eventId: 'a', causationId: 'a' })))).toEqual([]);
    expect(faults(first, event(1, 'interrupt.resolved', at(TEN, { eventId: 'b', causationId: 'b' })))).toEqual([]);
  });

  it('is not that an event caused itself, or one before it', () => {
    expect(faults(first, event(1, 'node.completed', at(TEN, { eventId: 'b', causationId: 'b' })))).toEqual([
      '/causationId is its own eventId',
    ]);
    const early = event(1, 'node.started', at(TEN, { eventId: 'b', causationId: 'c' }));
    const later = event(2, 'node.completed', at(TEN, { eventId: 'c' }));
    expect(faults(first, early, later)).toEqual(['/causationId is that of sequence 2, which comes later']);
    expect(faults(first, early, later, event(3, 'run.completed', at(TEN, { eventId: 'c' })))).toEqual([]);
  });

  it('is not asked of events that share a number or an id', () => {
    const cause = event(1, 'node.started', at(TEN, { eventId: 'b' }));
    expect(faults(first, cause, event(1, 'node.completed', at(TEN, { eventId: 'c', causationId: 'b' })))).toEqual([]);
    expect(faults(first, cause, event(2, 'node.completed', at(TEN, { eventId: 'b', causationId: 'b' })))).toEqual([]);
  });

  it('is not that one happened long before the run', () => {
    expect(faults(event(0, 'run.started', at(ELEVEN)), event(1, 'run.completed', at(TEN)))).toEqual([
      `/timestamp is "${TEN}", long before the run began`,
    ]);
  });

  it('is not asked of events of children that a parent shows', () => {
    const child = (sequence: number, more: object) =>
      event(sequence, 'node.completed', at(TEN, { runId: 'c', ...more }));
    const named = event(1, 'node.dispatched', at(TEN, { payload: { childRunId: 'c' } }));
    const shown = [child(2, { eventId: 'b', causationId: 'b' }), child(9, { eventId: 'd', payload: { nodeId: 'x' } })];
    const caused = event(5, 'node.completed', at(TEN, { eventId: 'e', causationId: 'd' }));
    expect(faults(first, named, ...shown, caused)).toEqual([]);
    expect(faults(first, ...shown, caused)).not.toEqual([]);
  });

  it('names one node', () => {
    const completed = (nodeId: string) => event(1, 'node.completed', at(TEN, { nodeId: 'a', payload: { nodeId } }));
    expect(faults(first, completed('a'))).toEqual([]);
    expect(faults(first, completed('b'))).toEqual(['/payload/nodeId is "b", and nodeId "a"']);
    expect(faults(first, event(1, 'log.appended', at(TEN, { nodeId: 'a', payload: { nodeId: 'b' } })))).toEqual([]);
  });
});

/** A run that began then. */
function reading(timestamp: string) {
  return { runId: 'first', fork: null, events: [event(0, 'run.started', at(timestamp))] };
}

describe('the times of a fork', () => {
  const origins = new Map([['second', 'first']]);
  const ofFork = (sourceRunId: string, timestamp: string) => {
    const fork = { sourceRunId, mode: 'replay', fromSeq: 0, advertised: true } as const;
    const began = new Map([['first', Date.parse(TEN)]]);
    return forkTimeFaults({ fork }, origins, began)(event(0, 'run.started', at(timestamp)));
  };

  it('are those of the run that it comes from, or later', () => {
    expect(ofFork('first', TEN)).toEqual([]);
    expect(ofFork('second', ELEVEN)).toEqual([]);
    expect(ofFork('unknown', '1970-01-01T00:00:00Z')).toEqual([]);
    const wrong = 'is "1970-01-01T00:00:00Z", long before the run that it comes from began';
    expect(ofFork('second', '1970-01-01T00:00:00Z')).toEqual([{ pointer: '/timestamp', wrong }]);
  });

  it('are not those of a source that is stamped anew later', () => {
    const untimed = { runId: 'second', fork: null, events: [] };
    const began = beginningsIn([reading('2030-01-01T00:00:00Z'), reading(TEN), reading(ELEVEN), untimed]);
    expect(began).toEqual(new Map([['first', Date.parse(TEN)]]));
  });
});
