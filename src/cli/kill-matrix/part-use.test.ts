import { describe, expect, it } from 'vitest';
import { defaultParts } from '../../../reference-host/index.ts';
import { canReach, replacedParts, watchParts } from './part-use.ts';

describe('the parts of a host', () => {
  it('tell when they are called, the steps of the key through the whole too', () => {
    const { parts, used } = watchParts();
    expect([...used]).toEqual([]);
    expect(parts.llmCache.namespace('acme')).toBe('acme');
    const call = {
      request: { provider: 'p', model: 'm', messages: [] },
      rawText: '',
      headers: new Headers(),
      tenant: 't',
    };
    expect(parts.cacheKey(call, parts)).toBe(defaultParts.cacheKey(call, defaultParts));
    expect([...used]).toEqual(['llmCache.namespace', 'cacheKey', 'projectRequest', 'serialise', 'digest']);
  });

  it('are compared one by one, inside a group too', () => {
    const llmCache = { ...defaultParts.llmCache, onReplay: () => 'ask' as const };
    expect(replacedParts({})).toEqual([]);
    expect(replacedParts({ llmCache, firstSequence: 1 })).toEqual(['llmCache.onReplay', 'firstSequence']);
  });

  it('reach a scenario that called them, and every scenario where they are no functions', () => {
    const used = new Set(['digest']);
    expect(canReach(['digest'], used)).toBe(true);
    expect(canReach(['serialise', 'llmCache.onReplay'], used)).toBe(false);
    expect(canReach(['serialise', 'firstSequence'], used)).toBe(true);
    expect(canReach(['firstSequence'], new Set())).toBe(true);
  });
});
