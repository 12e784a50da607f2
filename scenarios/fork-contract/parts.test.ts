import { describe, expect, it } from 'vitest';
import { spread } from '../shared/spread.ts';
import { unknownLike } from '../shared/unknown-id.ts';

describe('spread', () => {
  it.each([
    [3, [0, 5, 10]],
    [2, [0, 10]],
    [1, [10]],
    [11, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [200, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])('takes %d of eleven', (limit, expected) => {
    expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], limit)).toEqual(expected);
  });
});

describe('an id like another', () => {
  it.each(['run_01M7Z4HQ2JW58RK9GF9K0S42B4', '3f2b8c1e-9d4a-4c6b-8e1f-0a2b3c4d5e6f', 'run-00007', '17640000'])(
    '%s keeps its shape',
    (runId) => {
      const ids = [1, 2, 3, 4].map((turn) => unknownLike(runId, turn));
      expect(new Set([runId, ...ids]).size).toBe(5);
      for (const id of ids) {
        expect(id).toHaveLength(runId.length);
        expect(id.replace(/[0-9]/gu, '0').replace(/[a-z]/gu, 'a').replace(/[A-Z]/gu, 'A')).toBe(
          runId.replace(/[0-9]/gu, '0').replace(/[a-z]/gu, 'a').replace(/[A-Z]/gu, 'A'),
        );
      }
    },
  );

  it.each([
    ['7', '88888888'],
    ['26', '37373737'],
    ['r104', 's215s215'],
    ['Zz', 'GgGgGgGg'],
    ['日', '日11111111'],
  ])('%s, of a host that counts its runs, is longer than those that are there', (runId, expected) => {
    expect(unknownLike(runId, 1)).toBe(expected);
    expect(new Set([1, 2, 3, 4].map((turn) => unknownLike(runId, turn))).size).toBe(4);
  });
});
