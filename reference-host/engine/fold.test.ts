import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../store/event.ts';
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
