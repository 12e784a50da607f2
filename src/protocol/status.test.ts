import { describe, expect, it } from 'vitest';
import { isAbsent, isNoRoute, saysNothing, statusText } from './status.ts';

describe('saysNothing', () => {
  it.each([301, 302, 303, 307, 308, 408, 425, 429, 502, 503, 504])(
    'says nothing with %d, whatever was to be found out',
    (status) => {
      expect([saysNothing(status, 'refusal'), saysNothing(status, 'action'), saysNothing(status, 'body')]).toEqual([
        true,
        true,
        true,
      ]);
    },
  );

  it.each([401, 403])('takes %d for a refusal, and for nothing where the caller was to succeed', (status) => {
    expect([saysNothing(status, 'refusal'), saysNothing(status, 'action'), saysNothing(status, 'body')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each([404, 405, 501])('leaves open with %d how a body is read, and nothing else', (status) => {
    expect([saysNothing(status, 'refusal'), saysNothing(status, 'action'), saysNothing(status, 'body')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([200, 201, 400, 409, 410, 422, 500])('decides with %d', (status) => {
    expect([saysNothing(status, 'refusal'), saysNothing(status, 'action'), saysNothing(status, 'body')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('a status in words', () => {
  it('says of a redirect where it leads, and of no other', () => {
    expect([statusText(404, '/there'), statusText(307, '/there'), statusText(308, undefined)]).toEqual([
      '404',
      '307, to /there: redirects are not followed',
      '308, to nowhere: redirects are not followed',
    ]);
  });
});

describe('a route that is not there', () => {
  it('is another thing than one whose content is gone', () => {
    expect([isNoRoute(410), isAbsent(410)]).toEqual([false, true]);
    expect([isNoRoute(501), isAbsent(501), isNoRoute(400), isAbsent(400)]).toEqual([true, true, false, false]);
  });
});
