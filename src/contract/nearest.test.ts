import { describe, expect, it } from 'vitest';
import { nearestNames, unknownName } from './nearest.ts';

const KNOWN = [
  'discovery',
  'cache-key-portable',
  'fork-contract',
  'fork.created',
  'fork.created.seen',
  'uppercase-hex',
];

describe('nearestNames', () => {
  it.each([
    ['discovry', ['discovery']],
    ['discvoery', ['discovery']],
    ['DISCOVERY', ['discovery']],
    ['uppercasehex', ['uppercase-hex']],
    ['fork.creatd', ['fork.created']],
    ['cache-key', ['cache-key-portable']],
    ['fork', ['fork-contract', 'fork.created', 'fork.created.seen']],
    ['fork.created.sen', ['fork.created.seen', 'fork.created']],
    ['fork-contract.created', ['fork-contract']],
    ['pigeon', []],
    ['', []],
  ])('for %s are %j', (name, near) => {
    expect(nearestNames(name, KNOWN)).toEqual(near);
  });

  it('gives none for a name of any length', () => {
    expect(nearestNames('x'.repeat(100_000), ['y'.repeat(100_001), ...KNOWN])).toEqual([]);
  });

  it('puts the nearest first and gives no name twice', () => {
    expect(nearestNames('fork.createds', [...KNOWN, ...KNOWN])[0]).toBe('fork.created');
    expect(new Set(nearestNames('fork', [...KNOWN, ...KNOWN])).size).toBe(3);
  });
});

describe('unknownName', () => {
  it('asks back where a name is near, and does not where none is', () => {
    expect(unknownName('suite', 'discovry', KNOWN)).toBe('no suite is called "discovry"; did you mean discovery?');
    expect(unknownName('suite', 'pigeon', KNOWN)).toBe('no suite is called "pigeon"');
  });
});
