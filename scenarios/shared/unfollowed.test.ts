import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { foundationBrokenBy } from './unfollowed.ts';

function event(sequence: Json, type = 'node.started'): Json {
  return { eventId: 'e', type, sequence, payload: {} };
}

const ENDED = { status: 'completed' };
const problem = 'it was not followed';

describe('a run that was not followed to its end', () => {
  it.each<readonly [on: string | undefined, events: readonly Json[], snapshot: Json]>([
    ['sequence.monotonic', [event(0), event(1.5)], null],
    ['sequence.monotonic', [event('0')], ENDED],
    ['sequence.monotonic', [event(-1)], null],
    ['sequence.single-terminal-event', [event(0), event(1)], ENDED],
    [undefined, [event(0), event(1)], { status: 'running' }],
    [undefined, [event(0), event(1)], null],
    [undefined, [event(0), event(1, 'run.completed')], ENDED],
    ['run.created', [], ENDED],
    [undefined, [], { status: 'running' }],
    ['schema.run-event', [event(0), { type: 'node.started', sequence: 1, payload: {} }], null],
    ['schema.run-event', [{ eventId: 'e', type: 7, sequence: 1 }], ENDED],
    [undefined, ['no event'], null],
  ])('rests on %s', (on, events, snapshot) => {
    expect(foundationBrokenBy({ problem, events, snapshot })).toBe(on);
    expect(foundationBrokenBy({ problem: null, events, snapshot })).toBeUndefined();
  });
});
