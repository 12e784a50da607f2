import { describe, expect, it } from 'vitest';
import { readRequestFile } from './request-file.ts';

describe('readRequestFile', () => {
  it('keeps a single request as it is spelled', () => {
    expect(readRequestFile('\ufeff\n{ "temperature": 1e-07 }\n')).toEqual({
      ok: true,
      form: 'request',
      requests: [{ name: 'request', request: '{ "temperature": 1e-07 }' }],
    });
  });

  it('reads one request a line, blank lines apart', () => {
    expect(readRequestFile('{"a":1.0}\r\n\n{"b":-0.0}\n')).toMatchObject({
      ok: true,
      form: 'ndjson',
      requests: [
        { name: 'line 1', request: '{"a":1.0}' },
        { name: 'line 3', request: '{"b":-0.0}' },
      ],
    });
  });

  it('reads a vector file with what it says about each vector', () => {
    const text = '{"vectors":[{"name":"n","request":{ "x": -0.0 },"canonical":"c","cacheKey":"k"},{"request":[1.0]}]}';
    expect(readRequestFile(text)).toEqual({
      ok: true,
      form: 'vectors',
      requests: [
        { name: 'n', request: '{ "x": -0.0 }', canonical: 'c', cacheKey: 'k' },
        { name: 'vector 2', request: '[1.0]' },
      ],
    });
  });

  it.each([
    ['', 'the input is empty'],
    ['{"a":', 'not JSON: the text ends where a value is expected (at offset 5)'],
    ['{}\n{"a"}', 'line 2 is not JSON: expected ":" after a member name (at column 5)'],
    ['{"vectors":[{}]}', 'vector 1 has no "request"'],
    ['{"vectors":[]}', '"vectors" is empty'],
  ])('says what is wrong with %j', (text, message) => {
    expect(readRequestFile(text)).toEqual({ ok: false, message });
  });
});
