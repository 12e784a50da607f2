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
  [{ _links: { self: { href: '/a' }, next: { href: '/v1/runs/r/events?after=7' } } }, true],
  [{ links: [{ rel: 'next', href: '/v1/runs/r/events?after=7' }] }, true],
  [{ events: [{ type: 'a' }], pagination: { limit: 1, total: 2 } }, true],
  [{ events: [{ next: 'c7' }], total: 1, pagination: { next: null } }, false],
  [[], false],
])('a page that holds %j says that more follows: %s', (page, expected) => {
  expect(saysMore(answered(200, page))).toBe(expected);
});

it.each([
  ['</v1/runs/r/events?lastSequence=4>; rel="next"', true],
  ['</v1/runs/r/events>; rel=self, </b>; title="b"; rel=next', true],
  ['</v1/runs/r/events>; rel="self"', false],
])('a page with the link %s says that more follows: %s', (link, expected) => {
  expect(saysMore(answered(200, [], { link }))).toBe(expected);
});
