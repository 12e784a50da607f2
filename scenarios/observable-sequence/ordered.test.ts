import { describe, expect, it } from 'vitest';
import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import { ordered } from './foundations.ts';

const TYPES = ['run.started', 'node.started', 'variable.changed', 'run.completed'];

/** A log of these numbers: its types come in order. */
function log(...numbers: readonly number[]): { readonly events: readonly Json[] } {
  return {
    events: numbers.map((sequence, at) => ({ eventId: `e${at}`, type: TYPES[at] ?? '', sequence, payload: {} })),
  };
}

function shown(events: readonly Json[] | undefined): unknown {
  return events?.map((event) => [member(event, 'eventId'), member(event, 'sequence')].join(' '));
}

describe('a log whose numbers go back or repeat', () => {
  it.each([
    ['two events in the place of each other', log(0, 2, 1, 3), ['e0 0', 'e2 1', 'e1 2', 'e3 3']],
    ['numbers that count down', log(9, 8, 7, 6), ['e0 6', 'e1 7', 'e2 8', 'e3 9']],
    ['a number twice', log(0, 1, 1, 3), ['e0 0', 'e1 1', 'e2 2', 'e3 3']],
    ['numbers that stop', log(5, 7, 7, 7), ['e0 5', 'e1 7', 'e2 8', 'e3 9']],
  ])('has unique ones that increase: %s', (_, run, expected) => {
    expect(shown(ordered(run))).toEqual(expected);
  });

  it('keeps what speaks about the replay, with its number', () => {
    const about = { eventId: 'about', type: 'replay.divergedAtRefusal', sequence: 1000, payload: {} };
    const { events } = log(0, 1, 1, 3);
    expect(ordered({ events: log(0, 1, 2, 3).events.toSpliced(3, 0, about) })).toBeUndefined();
    expect(shown(ordered({ events: events.toSpliced(3, 0, about) }))).toEqual([
      'e0 0',
      'e1 1',
      'e2 2',
      'about 1000',
      'e3 3',
    ]);
  });

  it('is left where they are unique and increase, gaps or not', () => {
    expect(ordered(log(0, 1, 2, 3))).toBeUndefined();
    expect(ordered(log(1, 4, 9))).toBeUndefined();
    expect(ordered({ events: [] })).toBeUndefined();
  });
});
