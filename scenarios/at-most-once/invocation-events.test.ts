import { describe, expect, it } from 'vitest';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { invocationEvents, invocationStep } from './invocation-events.ts';

function event(type: string, payload: unknown, nodeId?: string): RunEvent {
  const read = readRunEvent({ eventId: type, type, sequence: 1, payload, nodeId });
  if (read === undefined) throw new Error('not an event');
  return read;
}

describe('invocationEvents', () => {
  it('reads the document’s own spelling', () => {
    const started = event(
      'tool_invocation_started',
      { tool_name: 'charge', arguments: { a: 1 }, idempotency_key: 'k', attempt_id: '1' },
      'charge',
    );
    const finished = event('tool_invocation_finished', { idempotency_key: 'k', outcome: 'success', result: { n: 1 } });
    const committed = event('command_committed', { idempotency_key: 'k' });
    const other = event('run.started', {});
    expect(invocationEvents([other, started, finished, committed])).toMatchObject([
      {
        step: 'started',
        index: 1,
        nodeId: 'charge',
        key: 'k',
        attemptId: '1',
        toolName: 'charge',
        args: { a: 1 },
        outcome: null,
      },
      { step: 'finished', index: 2, nodeId: undefined, key: 'k', outcome: 'success', result: { n: 1 } },
      { step: 'committed', index: 3, key: 'k', outcome: null },
    ]);
  });

  it('reads other spellings of types and members, and numbers as attempts', () => {
    const started = event('tool.invocation.started', { idempotencyKey: 'k', attemptId: 2, args: {}, nodeId: 'n' });
    expect(invocationEvents([started])).toMatchObject([{ step: 'started', key: 'k', attemptId: '2', nodeId: 'n' }]);
    expect(['toolInvocationFinished', 'Command-Committed', 'tool_invocation'].map(invocationStep)).toEqual([
      'finished',
      'committed',
      undefined,
    ]);
  });

  it('reads a failure, and gives nothing for a payload that is no object', () => {
    expect(invocationEvents([event('tool_invocation_finished', { outcome: 'failed' })])).toMatchObject([
      { outcome: 'failure', key: undefined },
    ]);
    expect(invocationEvents([event('tool_invocation_finished', null)])).toMatchObject([{ outcome: null }]);
  });
});
