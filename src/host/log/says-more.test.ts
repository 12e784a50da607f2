import { expect, it } from 'vitest';
import { answered } from '../../../test/answers.ts';
import { saysMore } from './pages.ts';

it.each([
  [{ isComplete: false }, true],
  [{ hasMore: true }, true],
  [{ nextCursor: 'c7' }, true],
  [{ next: '/v1/runs/r/events?after=7' }, true],
  [{ nextSequence: 8 }, true],
  [{ nextCursor: null }, false],
  [{ next: '' }, false],
  [{ events: [], isComplete: true }, false],
  [[], false],
])('a page that holds %j says that more follows: %s', (page, expected) => {
  expect(saysMore(answered(200, page))).toBe(expected);
});
