import { describe, expect, it } from 'vitest';
import type { HandleOptions, HostRequest } from './client.ts';
import { flatHeaders, requestHeaders, shownHeaders, targetUrl } from './request.ts';

const options: HandleOptions = {
  baseUrl: 'http://h',
  credential: 'secret',
  variable: 'KEY',
  scenario: 's',
  signal: new AbortController().signal,
};
const get: HostRequest = { method: 'GET', path: '/a' };

describe('targetUrl', () => {
  it.each([
    ['http://h', '/a', 'http://h/a'],
    ['http://h/', '/a', 'http://h/a'],
    ['http://h/base//', '/a?b=c', 'http://h/base/a?b=c'],
  ])('joins %s and %s', (base, path, expected) => {
    expect(targetUrl(base, path)).toBe(expected);
  });

  it.each(['//evil.example/', '/@evil.example/', '/\\evil.example', '/http://evil.example'])(
    'stays at the origin for %s',
    (path) => {
      expect(new URL(targetUrl('http://h:1', path)).origin).toBe('http://h:1');
    },
  );

  it.each(['', 'a', '@evil.example', ':80/', '.evil.example/'])('refuses the path %j', (path) => {
    expect(() => targetUrl('http://h', path)).toThrow(/must begin with/u);
  });
});

describe('requestHeaders', () => {
  it('names a content type only where there is a body', () => {
    expect(requestHeaders(options, get)).not.toHaveProperty('content-type');
    expect(requestHeaders(options, { ...get, body: '' })).toHaveProperty('content-type', 'application/json');
  });

  it('lets a request replace any header, in whatever case', () => {
    const headers = requestHeaders(options, { ...get, body: 'x', headers: { 'Content-Type': 'text/plain' } });
    expect(headers).toHaveProperty('content-type', 'text/plain');
    expect(headers).not.toHaveProperty('Content-Type');
  });

  it('sends the credential, unless the request is anonymous or there is none', () => {
    expect(requestHeaders(options, get)).toHaveProperty('authorization', 'Bearer secret');
    expect(requestHeaders(options, { ...get, anonymous: true })).not.toHaveProperty('authorization');
    expect(requestHeaders({ ...options, credential: undefined }, get)).not.toHaveProperty('authorization');
  });
});

describe('shownHeaders', () => {
  it('shows the variable in the credential’s place, and nothing where nothing was sent', () => {
    expect(shownHeaders(options, get)).toHaveProperty('authorization', 'Bearer $KEY');
    expect(shownHeaders(options, { ...get, anonymous: true })).not.toHaveProperty('authorization');
    expect(shownHeaders({ ...options, credential: undefined }, get)).not.toHaveProperty('authorization');
  });
});

describe('flatHeaders', () => {
  it('joins repeated headers, drops absent ones and keeps __proto__ as a name', () => {
    const headers = Object.fromEntries([
      ['Set-Cookie', ['a', 'b']],
      ['X', undefined],
      ['__proto__', 'p'],
    ]);
    expect(Object.entries(flatHeaders(headers))).toEqual([
      ['set-cookie', 'a, b'],
      ['__proto__', 'p'],
    ]);
  });
});
