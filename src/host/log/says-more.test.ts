import { expect, it } from 'vitest';
import type { Exchange } from '../client.ts';
import { saysMore } from './pages.ts';

const answered = (page: object) =>
  saysMore({ kind: 'response', status: 200, json: { ok: true, value: page } } as unknown as Exchange);

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
  expect(answered(page)).toBe(expected);
});
