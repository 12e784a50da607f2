import { describe, expect, it } from 'vitest';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { event } from '../../test/fork-observations.ts';
import type { Json } from '../../src/evidence/types.ts';
import { answersTo, isAsking, openQuestion, questionFinder } from './open-question.ts';

function eventsOf(
  ...said: readonly (readonly [type: string, nodeId?: string | undefined, payload?: Json])[]
): RunEvent[] {
  return said.flatMap(([type, nodeId, payload = {}], sequence) => {
    return readRunEvent(event(sequence, type, { payload, ...(nodeId === undefined ? {} : { nodeId }) })) ?? [];
  });
}

const BOTH = eventsOf(
  ['run.started'],
  ['node.suspended', 'gate'],
  ['interrupt.requested', 'gate', { kind: 'approval' }],
);

describe('a question', () => {
  it('is one, whether a host writes one event of it or two', () => {
    expect(openQuestion(BOTH, new Map())).toEqual({ nodeId: 'gate', payload: { kind: 'approval' } });
    expect(openQuestion(BOTH, new Map([['gate', 1]]))).toBeUndefined();
    expect(openQuestion(eventsOf(['node.suspended', 'gate', { reason: 'input' }]), new Map())).toEqual({
      nodeId: 'gate',
      payload: { reason: 'input' },
    });
    expect(openQuestion(eventsOf(['run.started']), new Map())).toBeUndefined();
  });

  it('is open again where its node asks once more', () => {
    const twice = eventsOf(
      ['interrupt.requested', 'gate'],
      ['interrupt.resolved', 'gate'],
      ['interrupt.requested', 'gate'],
    );
    expect(openQuestion(twice, new Map([['gate', 1]]))?.nodeId).toBe('gate');
    expect(openQuestion(twice, new Map([['gate', 2]]))).toBeUndefined();
  });

  it('is found by its number, however often a log is read', () => {
    const isOpen = questionFinder(new Map([['gate', 1]]));
    expect([...BOTH, ...BOTH].some(isOpen)).toBe(false);
  });

  it('names the node that its payload names', () => {
    const [question] = eventsOf(['interrupt.requested', undefined, { nodeId: 'ask' }]);
    expect(question && openQuestion([question], new Map())?.nodeId).toBe('ask');
  });
});

function first(payload: unknown): Json | undefined {
  return answersTo({ nodeId: 'n', payload })[0];
}

describe('answers to a question', () => {
  it.each([
    [{ data: { actions: ['reject', 'accept'] } }, { action: 'accept' }],
    [{ actions: [{ id: 'later' }, { id: 'approve' }] }, { action: 'approve' }],
    [{ actions: ['later'] }, { action: 'later' }],
    [{ data: { questions: [{ id: 'q1' }, 'q2', 7] } }, { answers: { q1: 'blue', q2: 'blue' } }],
    [
      { kind: 'external-event', data: { eventType: 'paid', correlation: { id: 1 } } },
      { eventType: 'paid', correlation: { id: 1 } },
    ],
    [null, { approved: true }],
    [{ actions: 'x', questions: { length: 9 } }, { approved: true }],
  ])('to %j begin with %j', (payload, answer) => {
    expect(first(payload)).toEqual(answer);
  });

  it('are three at most, and hold nothing long', () => {
    const actions = ['accept'.padEnd(5000, 'x')];
    const questions = Array.from({ length: 500 }, (_, index) => ({ id: `q${index}` }));
    const answers = answersTo({ nodeId: 'n', payload: { actions, questions, kind: 'external' } });
    expect(answers).toHaveLength(3);
    expect(JSON.stringify(answers).length).toBeLessThan(1000);
  });
});

describe('an event that asks', () => {
  it.each(['interrupt.requested', 'node.suspended'])('may be %s', (type) => expect(isAsking({ type })).toBe(true));

  it.each(['interrupt.resolved', 'node.resumed', 'run.started', 'runOrchestrator.decided'])('is not %s', (type) =>
    expect(isAsking({ type })).toBe(false),
  );
});
