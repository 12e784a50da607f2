import { describe, expect, it } from 'vitest';
import type { RunEvent } from './event.ts';
import { fold } from './fold.ts';

const log = (...drafts: readonly Pick<RunEvent, 'type' | 'payload' | 'nodeId'>[]): RunEvent[] =>
  drafts.map((draft, sequence) => ({
    eventId: `e${sequence}`,
    runId: 'r',
    sequence,
    timestamp: `t${sequence}`,
    ...draft,
  }));

const started = { type: 'run.started', payload: { tags: ['x'] } } as const;

const about = (type: 'interrupt.requested' | 'interrupt.resolved', nodeId: string, kind: string) =>
  ({ type, nodeId, payload: { nodeId, interruptId: nodeId, kind, key: 'k' } }) as const;

describe('fold', () => {
  it('knows nothing of an empty log', () => {
    expect(fold([])).toMatchObject({ status: 'pending', startedAt: undefined });
  });

  it('takes times from the events', () => {
    const state = fold(log(started, { type: 'run.completed', payload: {} }));
    expect(state).toMatchObject({ status: 'completed', startedAt: 't0', completedAt: 't1', options: { tags: ['x'] } });
  });

  it('counts the events of the node that is under way', () => {
    const state = fold(
      log(
        started,
        { type: 'node.started', nodeId: 'n', payload: {} },
        { type: 'provider.usage', nodeId: 'n', payload: {} },
      ),
    );
    expect(state.currentNodeId).toBe('n');
    expect(state.nodes.get('n')).toMatchObject({ status: 'running', events: 2 });
  });

  it('keeps a variable called __proto__ as a variable', () => {
    const value = { polluted: true };
    const state = fold(log(started, { type: 'variable.changed', payload: { name: '__proto__', value } }));
    expect(state.variables.get('__proto__')).toEqual(value);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('waits from the first question to the last answer, as the kind of the question says', () => {
    const events = log(
      started,
      about('interrupt.requested', 'a', 'approval'),
      about('interrupt.requested', 'b', 'external'),
      about('interrupt.resolved', 'a', 'approval'),
      about('interrupt.resolved', 'b', 'external'),
      about('interrupt.requested', 'c', 'clarification'),
      { type: 'run.cancelled', payload: {} },
    );
    const statuses = events.map((_, index) => fold(events.slice(0, index + 1)).status);
    expect(statuses).toEqual([
      'running',
      'waiting-approval',
      'waiting-approval',
      'waiting-external',
      'running',
      'waiting-input',
      'cancelled',
    ]);
  });

  it('names the node that began last and is not over as the current one', () => {
    const events = log(
      started,
      { type: 'node.started', nodeId: 'a', payload: {} },
      { type: 'node.started', nodeId: 'b', payload: {} },
      { type: 'node.completed', nodeId: 'b', payload: {} },
      { type: 'node.completed', nodeId: 'a', payload: {} },
    );
    const current = events.map((_, index) => fold(events.slice(0, index + 1)).currentNodeId);
    expect(current).toEqual([undefined, 'a', 'b', 'a', undefined]);
  });

  it('remembers a divergence until the run has failed with it', () => {
    const state = fold(
      log(
        started,
        { type: 'node.started', nodeId: 'n', payload: {} },
        { type: 'replay.divergedAtRefusal', nodeId: 'n', payload: {} },
      ),
    );
    expect(state).toMatchObject({ status: 'running', error: { code: 'replay_diverged_at_refusal' } });
  });
});
