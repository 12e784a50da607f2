import { describe, expect, it } from 'vitest';
import {
  advertisedFailpoints,
  advertisedLease,
  advertisedModes,
  advertisedRecipe,
  executionModelVersion,
  locate,
  member,
  readDiscovery,
  readPart,
} from './discovery.ts';

const block = (version: unknown): object => ({ multiAgent: { executionModel: { supported: true, version } } });

describe('locate', () => {
  it('reads the root first', () => {
    const document = { a: { b: 1 }, capabilities: { a: { b: 2 } } };
    expect(locate(document, ['a', 'b'])).toEqual({ pointer: '/a/b', value: 1 });
  });

  it('reads the mirror where the root has nothing', () => {
    expect(locate({ capabilities: { a: { b: 2 } } }, ['a', 'b'])).toEqual({ pointer: '/capabilities/a/b', value: 2 });
  });

  it('finds falsy values at the root', () => {
    for (const value of [null, false, 0, '']) {
      expect(locate({ a: value, capabilities: { a: 1 } }, ['a'])).toEqual({ pointer: '/a', value });
    }
  });

  it.each([undefined, null, 1, 'a', [], [{ a: 1 }], {}, { capabilities: null }, { capabilities: [] }])(
    'finds nothing in %j',
    (document) => {
      expect(locate(document, ['a'])).toBeUndefined();
    },
  );

  it('finds own members only, also under the name __proto__', () => {
    expect(locate({}, ['constructor'])).toBeUndefined();
    expect(locate({}, ['__proto__', 'toString'])).toBeUndefined();
    expect(locate(JSON.parse('{"__proto__":{"a":1}}'), ['a'])).toBeUndefined();
  });
});

describe('member', () => {
  it('reads no index or length of an array', () => {
    expect([member([1], '0'), member([1], 'length'), member('ab', 'length')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('readDiscovery', () => {
  it('finds the parts in either layout', () => {
    const parts = {
      multiAgent: { executionModel: { version: 4, replayDeterminism: { supported: true } } },
      replay: { supported: true },
      fixtures: ['a', 1, null, 'b'],
    };
    expect(readDiscovery(parts)).toMatchObject({
      executionModel: { pointer: '/multiAgent/executionModel' },
      replayDeterminism: { value: { supported: true } },
      replay: { pointer: '/replay' },
      fixtures: ['a', 'b'],
    });
    expect(readDiscovery({ capabilities: parts })).toMatchObject({
      executionModel: { pointer: '/capabilities/multiAgent/executionModel' },
      fixtures: ['a', 'b'],
    });
  });

  it.each([
    undefined,
    null,
    [],
    {},
    { multiAgent: null, fixtures: 'x' },
    { multiAgent: { executionModel: undefined } },
  ])('finds no block of its own in %j', (document) => {
    const { multiAgent: _family, ...blocks } = readDiscovery(document);
    expect(blocks).toEqual({
      executionModel: undefined,
      replayDeterminism: undefined,
      replay: undefined,
      fixtures: [],
    });
  });
});

describe('executionModelVersion', () => {
  it.each([
    [4, 4],
    [4.0, 4],
    [0, 0],
    [-1, -1],
    ['4', undefined],
    [4.5, undefined],
    [[4], undefined],
    [true, undefined],
    [null, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('of %j is %s', (version, expected) => {
    expect(executionModelVersion(readDiscovery(block(version)))).toBe(expected);
  });
});

describe('advertisedRecipe', () => {
  it.each([
    ['spec-rfc-0041', 'spec-rfc-0041'],
    [7, undefined],
    [['spec-rfc-0041'], undefined],
    [undefined, undefined],
  ])('of %j is %s', (llmCacheKeyRecipe, expected) => {
    const document = { multiAgent: { executionModel: { replayDeterminism: { llmCacheKeyRecipe } } } };
    expect(advertisedRecipe(readPart(document, 'replayDeterminism'))).toBe(expected);
  });
});

describe('advertisedModes', () => {
  it.each([
    [{ replay: { modes: ['replay', 'branch'] } }, ['replay', 'branch']],
    [{ replay: { modes: ['replay', 7, null] } }, ['replay']],
    [{ replay: { modes: [] } }, []],
    [{ capabilities: { replay: { modes: ['branch'] } } }, ['branch']],
    [{ replay: { supported: true }, capabilities: { replay: { modes: ['branch'] } } }, undefined],
    [{ replay: { modes: 'replay' } }, undefined],
    [{ replay: true }, undefined],
    [{}, undefined],
  ])('of %j are %j', (document, modes) => {
    expect(advertisedModes(readPart(document, 'replay'))).toEqual(modes);
  });
});

describe('advertisedFailpoints', () => {
  it.each([
    [
      ['before-acquire', 7, null, 'after-acquire'],
      ['before-acquire', 'after-acquire'],
    ],
    [[], []],
    ['before-acquire', []],
    [undefined, []],
  ])('of %j are %j', (failpoints, names) => {
    const extensions = { 'x-openwop-provable-semantics': { supported: true, failpoints } };
    expect(advertisedFailpoints(readPart({ extensions }, 'provable'))).toEqual(names);
    expect(advertisedFailpoints(readPart({ capabilities: { extensions } }, 'provable'))).toEqual(names);
  });
});

function leaseIn(leaseMs: unknown): number | undefined {
  const extensions = { 'x-openwop-provable-semantics': { supported: true, leaseMs } };
  return advertisedLease(readPart({ extensions }, 'provable'));
}

describe('advertisedLease', () => {
  it('is the number that the extension block says, if one', () => {
    expect(leaseIn(30_000)).toBe(30_000);
    for (const none of [undefined, null, 0, -1, '30000']) expect(leaseIn(none)).toBeUndefined();
    expect(advertisedLease(undefined)).toBeUndefined();
  });
});
