import { describe, expect, it } from 'vitest';
import { kindOfStatus } from './run-status.ts';

describe('the kind of a status', () => {
  it.each([
    ['completed', 'ended'],
    ['cancelled', 'ended'],
    ['waiting-external', 'open'],
    ['cancelling', 'open'],
    ['archived', undefined],
    [7, undefined],
  ])('of %j is %j', (status, kind) => expect(kindOfStatus(status)).toBe(kind));
});
