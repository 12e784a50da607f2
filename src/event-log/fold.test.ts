import { describe, expect, it } from 'vitest';
import { readLogEvent } from './event.ts';
import { createFold, foldEvents, type LogState } from './fold.ts';

/** The state after each of some events. */
function states(...said: readonly (readonly [string, unknown])[]): readonly LogState[] {
  const fold = createFold();
  return said.map(([type, payload], sequence) => {
    const read = readLogEvent({ eventId: `e${sequence}`, type, sequence, payload });
    if (read.ok) fold.apply(read.event);
    return fold.state();
  });
}

describe('a fold', () => {
  it('gives the state at every index, which later events leave alone', () => {
    const [a, b, c] = states(
      ['run.started', {}],
      ['variable.changed', { name: 'x', value: 1 }],
      ['variable.changed', { name: 'x', value: 2 }],
    );
    expect(a).toEqual({ status: 'running', variables: new Map(), channels: new Map() });
    expect(b?.variables).toEqual(new Map([['x', 1]]));
    expect(c?.variables).toEqual(new Map([['x', 2]]));
  });

  it('reads channels under either name', () => {
    const [, both] = states(
      ['channel.written', { channel: 'c', value: [1] }],
      ['channel.written', { name: 'd', value: 2 }],
    );
    expect(both?.channels).toEqual(
      new Map<string, unknown>([
        ['c', [1]],
        ['d', 2],
      ]),
    );
  });

  it('reads the value of a variable under either name', () => {
    const [state] = states(['variable.changed', { name: 'x', previous: 1, next: 2 }]);
    expect(state?.variables).toEqual(new Map([['x', 2]]));
  });

  it('follows the status through an interrupt to the end', () => {
    const statuses = states(
      ['x.unknown', {}],
      ['run.started', {}],
      ['interrupt.requested', { kind: 'approval' }],
      ['interrupt.resolved', {}],
      ['interrupt.requested', {}],
      ['run.failed', null],
    ).map(({ status }) => status);
    expect(statuses).toEqual(['pending', 'running', 'waiting-approval', 'running', 'waiting-input', 'failed']);
  });

  it('passes over a change without a name and keeps __proto__ an ordinary one', () => {
    const payload: unknown = JSON.parse('{"name":"__proto__","value":{"polluted":true}}');
    const [, state] = states(['variable.changed', 5], ['variable.changed', payload]);
    expect([...(state?.variables ?? [])]).toEqual([['__proto__', { polluted: true }]]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

const NUMBERED = [4, 5, 6].map((sequence) => ({
  eventId: `e${sequence}`,
  type: 'variable.changed',
  seq: sequence,
  data: { name: 'x', value: sequence },
}));

function valueBelow(below?: number): unknown {
  const folded = foldEvents(NUMBERED, below);
  return folded.ok ? folded.state.variables.get('x') : folded.message;
}

describe('a fold in memory', () => {
  it('gives the state at the end, or before a sequence number', () => {
    expect([valueBelow(), valueBelow(6), valueBelow(4)]).toEqual([6, 5, undefined]);
  });

  it('says where a value is no event', () => {
    expect(foldEvents([...NUMBERED, {}])).toEqual({ ok: false, at: 'event 4', message: 'the event has no eventId' });
  });
});
