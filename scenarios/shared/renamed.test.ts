import { describe, expect, it } from 'vitest';
import { renamed } from './renamed.ts';

const NAMES = new Map([['run_1', 'run_2']]);

describe('a renamed value', () => {
  it('has other texts wherever one of the names stands by itself, and the same members', () => {
    const value = { id: 'run_1', list: ['run_1', { of: 'run_1', at: 1 }], text: 'of run_1', run_1: null };
    const other = { id: 'run_2', list: ['run_2', { of: 'run_2', at: 1 }], text: 'of run_1', run_1: null };
    expect(renamed(value, NAMES)).toEqual(other);
    expect(renamed('run_1', NAMES)).toBe('run_2');
  });

  it('is the same value where it holds none of the names', () => {
    const value = { list: [{ of: 'nobody' }, null, true], none: {} };
    expect(renamed(value, NAMES)).toBe(value);
  });

  it('keeps members that are called like those that every object has', () => {
    const value: unknown = JSON.parse('{"__proto__": {"id": "run_1"}, "constructor": "run_1"}');
    expect(JSON.stringify(renamed(value as never, NAMES))).toBe('{"__proto__":{"id":"run_2"},"constructor":"run_2"}');
  });
});
