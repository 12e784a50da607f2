import { describe, expect, it } from 'vitest';
import { runAs, say } from '../../test/recorded-runs.ts';
import { spread } from './spread.ts';
import { withoutVolatile } from './volatile.ts';

const told = [say('variable.changed', { name: 'a', value: { ms: 3, kept: 1 }, at: 'now' }, 'n')];
const snapshot = { status: 'completed', variables: { a: { ms: 3, kept: 1 } }, channels: { c: [1] } };
const run = runAs('source', told, { snapshot });

describe('declared volatile fields', () => {
  it('leave a run alone where there are none', () => {
    expect(withoutVolatile(run, [])).toBe(run);
  });

  it('go out of events, and those of values out of the snapshot too', () => {
    const cut = withoutVolatile(run, ['/payload/at', '/payload/value/ms']);
    expect(cut.events[0]).toMatchObject({ payload: { name: 'a', value: { kept: 1 } } });
    expect(JSON.stringify(cut.events)).not.toContain('now');
    expect(cut.snapshot).toEqual({ status: 'completed', variables: { a: { kept: 1 } }, channels: { c: [1] } });
  });

  it('are found below `data` as well', () => {
    const spelled = { ...run, events: [{ data: { at: 'now', kept: 1 } }] };
    expect(withoutVolatile(spelled, ['/payload/at']).events).toEqual([{ data: { kept: 1 } }]);
  });
});

describe('the forks of a sweep', () => {
  it('are all where there is room, else spread with the first and the last among them', () => {
    expect(spread([0, 1, 2], 3)).toEqual([0, 1, 2]);
    expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([0, 4, 8]);
    expect(spread([3, 4, 5], 1)).toEqual([5]);
    expect(spread([], 4)).toEqual([]);
  });
});
