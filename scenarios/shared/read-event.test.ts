import { describe, expect, it } from 'vitest';
import { runAs, say } from '../../test/recorded-runs.ts';
import { eventsOf } from './compare-runs.ts';
import { CHAIN_EVENT, childrenNamedIn } from './read-event.ts';

describe('the children that a log names', () => {
  it('are those of its transitions, whatever node.dispatched says', () => {
    const run = runAs('handoff', [
      say(CHAIN_EVENT, { phase: 'dispatch.succeeded', childRunId: 'child' }),
      say('node.dispatched', { childRunId: 'something else' }),
    ]);
    expect(childrenNamedIn(eventsOf(run))).toEqual(['child']);
  });

  it('are those of node.dispatched where transitions name none', () => {
    const run = runAs('handoff', [
      say(CHAIN_EVENT, { phase: 'dispatch.succeeded' }),
      say('node.dispatched', { childRunId: 'child' }),
    ]);
    expect(childrenNamedIn(eventsOf(run))).toEqual(['child']);
  });
});
