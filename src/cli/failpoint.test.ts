import { describe, expect, it } from 'vitest';
import { armedFailpoint } from './failpoint.ts';
import { UsageError } from '../contract/usage-error.ts';

const KNOWN = ['before-execute', 'after-put-effect'];

describe('armedFailpoint', () => {
  it.each([
    ['before-execute@1', { name: 'before-execute', hit: 1 }],
    ['after-put-effect@120', { name: 'after-put-effect', hit: 120 }],
  ])('of %s', (FAILPOINT, cut) => {
    expect(armedFailpoint({ FAILPOINT }, KNOWN)).toEqual(cut);
  });

  it('is none where the environment says nothing', () => {
    expect(armedFailpoint({}, KNOWN)).toBeUndefined();
    expect(armedFailpoint({ FAILPOINT: '' }, KNOWN)).toBeUndefined();
  });

  it.each([
    'before-execute',
    'before-execute@',
    'before-execute@0',
    'before-execute@01',
    'before-execute@-1',
    'before-execute@1.5',
    'before-execute@1e3',
    'before-execute@1@1',
    'before-execute@9999999999999999',
    ' before-execute@1',
    '@1',
    'never@1',
    'constructor@1',
  ])('refuses %j', (FAILPOINT) => {
    expect(() => armedFailpoint({ FAILPOINT }, KNOWN)).toThrow(UsageError);
  });
});
