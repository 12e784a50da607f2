import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { event, recorded, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { CallsObservation } from '../shared/witnessed-run.ts';
import { invocationIdOf, type InvocationsObservation } from './invocations.ts';
import { layerTwoRetry } from './layer-two-retry.ts';

const NODE = { nodeId: 'ask' };
const log = (...types: readonly string[]): readonly Json[] =>
  types.map((type, sequence) => event(sequence, type, type.startsWith('node.') ? NODE : {}));
const TRIED = log('run.started', 'node.started', 'node.retried', 'node.completed', 'run.completed');
const ONCE = log('run.started', 'node.started', 'node.completed', 'run.completed');

function call(attempt: string | number, invocationId: Json = idOf(String(attempt)), more: object = {}): Json {
  return { ...NODE, attempt, providerKey: 'k', invocationId, ...more };
}

function idOf(attempt: string): string {
  return invocationIdOf({ runId: 'run_a', nodeId: 'ask', attempt, providerKey: 'k' });
}

interface Facts {
  readonly events?: readonly Json[];
  readonly asked?: number;
  readonly problem?: string;
}

function judged(invocations: readonly Json[], { events = TRIED, asked = 2, problem }: Facts = {}): string {
  const listed: InvocationsObservation = {
    type: 'invocations',
    of: 'source',
    problem: problem ?? null,
    invocations,
    exchanges: ['x2'],
  };
  const chats = Array.from({ length: asked }, () => ({
    kind: 'chat',
    name: 'm',
    method: 'POST',
    idempotencyKey: null,
    body: null,
    answer: null,
  }));
  const calls: CallsObservation = { type: 'calls', after: 'source', url: 'http://w', calls: chats, exchanges: [] };
  const [judgement] = layerTwoRetry.judge(recorded(run('source', { events }), calls, listed), OPTIONS);
  return judgement === undefined ? 'none' : short(judgement);
}

describe('the Layer-2 ids of a node that is tried again', () => {
  it.each([
    ['attempts counted from 1', ['1', '2']],
    ['attempts counted from 0', ['0', '1']],
    ['attempts as numbers', [1, 2]],
    ['attempts with names', ['a', 'b']],
  ])('pass where they differ by the formula: %s', (_, attempts) => {
    expect(judged(attempts.map((attempt) => call(attempt)))).toBe('pass');
  });

  it('pass where the provider key tells the attempts apart', () => {
    const other = invocationIdOf({ runId: 'run_a', nodeId: 'ask', attempt: '1', providerKey: 'l' });
    expect(judged([call('1'), call('1', other, { providerKey: 'l' })])).toBe('pass');
  });

  it('fail where two calls of the node have one id, whatever is listed as their attempt', () => {
    expect(judged([call('1'), call('1')])).toBe('fail one-id-for-two-attempts');
    expect(judged([call('1'), call('2', idOf('1'))])).toBe('fail one-id-for-two-attempts');
  });

  it('fail where the id of an attempt is made otherwise', () => {
    expect(judged([call('1'), call('2', idOf('3'))])).toBe('fail layer-two-attempt-one-higher');
  });

  it('are undecided where the node was not tried again or not asked for again, or not every call is listed', () => {
    const both = [call('1'), call('2')];
    expect(judged(both, { events: ONCE })).toBe('inconclusive');
    expect(judged(both, { asked: 1 })).toBe('inconclusive');
    expect(judged(both, { problem: 'answered 500' })).toBe('inconclusive');
    expect(judged([])).toBe('inconclusive');
    expect(judged([call('1')])).toBe('inconclusive');
    expect(judged([call('1'), call('1', idOf('1'), { nodeId: 'other' })])).toBe('inconclusive');
    expect(judged([call('1'), NODE])).toBe('inconclusive');
    expect(judged([call('1'), { ...NODE, invocationId: 'x' }])).toBe('inconclusive');
    expect(layerTwoRetry.judge([], OPTIONS).map(short)).toEqual(['inconclusive']);
  });
});
