import { describe, expect, it } from 'vitest';
import { cellOf } from '../../test/crash-cells.ts';
import { chosenPairs, cutsIn, fewCuts, pairsOf, plannedCuts } from './cut-plan.ts';

describe('cutsIn', () => {
  it('counts the passes of each name from 1', () => {
    expect(cutsIn(['a', 'b', 'a'])).toEqual([
      { name: 'a', hit: 1 },
      { name: 'b', hit: 1 },
      { name: 'a', hit: 2 },
    ]);
  });
});

describe('pairsOf', () => {
  const died = cellOf({ cut: 'a', more: { passed: ['x', 'y', 'x'] } });

  it('pairs each death with what its recovery passed', () => {
    const alive = cellOf({ cut: 'b', more: { passed: ['x'], deaths: [] } });
    expect(pairsOf([died, alive], []).map(({ cut, second }) => `${cut.name} ${second.name}${second.hit}`)).toEqual([
      'a x1',
      'a y1',
      'a x2',
    ]);
  });

  it('tries every name where the passes are not told', () => {
    expect(pairsOf([{ ...died, passed: null }], ['p', 'q']).map(({ second }) => second.name)).toEqual(['p', 'q']);
  });
});

describe('plannedCuts', () => {
  const passed = ['before-a', 'after-a', 'before-b', 'after-b', 'p', 'before-a', 'after-a', 'after-c'];
  const names = (set: 'quick' | 'full') => plannedCuts(passed, set).map(({ name, hit }) => `${name}@${hit}`);

  it('are all of them in a full run', () => {
    expect(plannedCuts(passed, 'full')).toEqual(cutsIn(passed));
  });

  it('leave out, in a quick run, those in the very state of the one before', () => {
    expect(names('quick')).toEqual([
      'before-a@1',
      'after-a@1',
      'after-b@1',
      'p@1',
      'before-a@2',
      'after-a@2',
      'after-c@1',
    ]);
  });
});

describe('fewCuts', () => {
  it('takes one cut for each step that a name tells, and all where none does', () => {
    const cuts = cutsIn(['before-acquire', 'after-acquire', 'before-started', 'after-started', 'x', 'after-acquire']);
    expect(fewCuts(cuts).map(({ name }) => name)).toEqual(['before-acquire', 'before-started', 'after-started']);
    expect(fewCuts(cutsIn(['p', 'q', 'p']))).toHaveLength(3);
  });
});

describe('chosenPairs', () => {
  const names = ['before-create-run', 'after-append-started', 'after-put-effect', 'after-ledger-commit'];
  const pairs = names.flatMap((name) =>
    [1, 2, 3].map((hit) => ({ cut: { name, hit: 1 }, second: { name: 'x', hit } })),
  );

  it('takes so many first cuts evenly from the tool call, each with a later pass of its recovery', () => {
    const chosen = chosenPairs(pairs, 3).map(({ cut, second }) => `${cut.name} ${second.hit}`);
    expect(chosen).toEqual(['after-append-started 2', 'after-put-effect 3', 'after-ledger-commit 3']);
  });

  it('takes from all where the names tell nothing, and no pair twice', () => {
    const unnamed = pairs.map((pair) => ({ ...pair, cut: { name: 'fp', hit: 1 } }));
    expect(chosenPairs(unnamed.slice(0, 8), 6)).toHaveLength(6);
    expect(chosenPairs(unnamed.slice(0, 2), 6).map(({ second }) => second.hit)).toEqual([2]);
    expect(chosenPairs([], 6)).toEqual([]);
  });
});
