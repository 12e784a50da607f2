import { describe, expect, it } from 'vitest';
import { handoffPolicy } from './handoff.ts';

const { turns, asks, input, output, harvests } = handoffPolicy;

describe('the handoff policy', () => {
  it('takes the turns of the plan up to terminate, which is said in any case', () => {
    const worker = { kind: 'next-worker', nextWorkerIds: ['w'] } as const;
    const terminate = { kind: 'terminate' } as const;
    expect(turns([])).toEqual([terminate]);
    expect(turns([worker])).toEqual([worker, terminate]);
    expect(turns([terminate, worker])).toEqual([terminate]);
  });

  it('asks somebody for clarify and escalate', () => {
    const kinds = ['next-worker', 'terminate', 'clarify', 'escalate'] as const;
    expect(kinds.filter((kind) => asks({ kind }))).toEqual(['clarify', 'escalate']);
  });

  it('maps the variables that are there, whatever they hold', () => {
    const variables = new Map<string, unknown>([
      ['a', null],
      ['b', { c: 1 }],
    ]);
    for (const map of [input, output]) {
      expect(map({ x: 'a', y: 'b', z: 'c', toString: 'constructor', n: 1 }, variables)).toEqual({
        x: null,
        y: { c: 1 },
      });
    }
  });

  it('harvests a child that has completed, where something is mapped', () => {
    expect(harvests('completed', { x: 'a' })).toBe(true);
    expect(harvests('completed', {})).toBe(false);
    expect(harvests('failed', { x: 'a' })).toBe(false);
    expect(harvests('cancelled', { x: 'a' })).toBe(false);
  });
});
