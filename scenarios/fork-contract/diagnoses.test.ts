import { describe, expect, it } from 'vitest';
import { findRequirement } from '../../src/contract/requirements/index.ts';
import { cacheKeyPortable } from '../cache-key-portable/index.ts';
import { forkContract } from './index.ts';

describe('what is found out about tenants', () => {
  const all = [...(forkContract.diagnoses ?? []), ...(cacheKeyPortable.diagnoses ?? [])];

  it('is explained by name', () => {
    expect(all.map(({ code }) => code)).toEqual(['tenants-mixed', 'existence-revealed', 'response-of-another-tenant']);
  });

  it.each(all)('$code breaks requirements that there are', ({ breaks, message }) => {
    expect(breaks.filter((id) => findRequirement(id) === undefined)).toEqual([]);
    expect(message).toMatch(/\.$/u);
  });
});
