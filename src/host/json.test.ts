import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH, MAX_JSON_NAMES, MAX_JSON_VALUES } from '../evidence/json-depth.ts';
import { createJsonReader, createLogReader, readJsonText } from './json.ts';

const names = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"${at}":0`).join(',')}}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('readJsonText', () => {
  it('reads up to the greatest depth and not beyond', () => {
    expect(readJsonText(nested(MAX_JSON_DEPTH))).toMatchObject({ ok: true });
    expect(readJsonText(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ ok: false, why: 'too-deep' });
  });

  it('does not take brackets in strings for depth, behind escapes neither', () => {
    expect(readJsonText(JSON.stringify('['.repeat(1000)))).toMatchObject({ ok: true });
    expect(readJsonText(`"\\"${'{'.repeat(1000)}"`)).toMatchObject({ ok: true });
    expect(readJsonText(`["\\\\",${nested(MAX_JSON_DEPTH)}]`)).toMatchObject({ ok: false, why: 'too-deep' });
  });

  it('reads no more values than any log has', () => {
    expect(readJsonText(`[${'0,'.repeat(MAX_JSON_VALUES)}0]`)).toMatchObject({ ok: false, why: 'too-many' });
    expect(readJsonText(`["${','.repeat(MAX_JSON_VALUES)}"]`)).toMatchObject({ ok: true });
  });

  it('reads no object of more names than any table has, whatever stands beside it', () => {
    expect(readJsonText(`[${names(MAX_JSON_NAMES)},${names(MAX_JSON_NAMES)}]`)).toMatchObject({ ok: true });
    expect(readJsonText(`{"a":[${names(MAX_JSON_NAMES + 1)}]}`)).toMatchObject({ ok: false, why: 'too-many' });
    expect(readJsonText(`{"a":{"b":0},${names(MAX_JSON_NAMES).slice(1)}`)).toMatchObject({ why: 'too-many' });
  });

  it('does not take siblings for depth', () => {
    expect(readJsonText(`[${Array.from({ length: 1000 }, () => '[]').join(',')}]`)).toMatchObject({ ok: true });
  });

  it.each(['null', '0', '"a"', '[]', '{}'])('reads %s', (text) => {
    expect(readJsonText(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });

  it.each(['', 'NaN', '{a:1}', "{'a':1}", '[1,]', '01', ']'.repeat(300) + nested(300)])('refuses %j', (text) => {
    expect(readJsonText(text).ok).toBe(false);
  });
});

describe('createLogReader', () => {
  it('reads no more values in all texts of a log than in one', () => {
    const read = createLogReader();
    const list = `[${'0,'.repeat(MAX_JSON_VALUES / 2)}0]`;
    expect(read(list)).toMatchObject({ ok: true });
    expect(read('{"a":1}')).toMatchObject({ ok: true });
    expect(read(list)).toMatchObject({ ok: false, why: 'too-many' });
  });
});

/** A body as the client reads it. */
const readJson = (bytes: Uint8Array) => createJsonReader(bytes, Buffer.from(bytes).toString('utf8'))();

describe('createJsonReader', () => {
  it('tells an empty body from a malformed one', () => {
    expect(readJson(new Uint8Array())).toMatchObject({ ok: false, why: 'empty' });
    expect(readJson(Buffer.from(' '))).toMatchObject({
      ok: false,
      why: 'malformed-json',
      message: expect.stringMatching(/^the body is no JSON: /u) as string,
    });
  });

  it('refuses overlong and cut UTF-8', () => {
    expect(readJson(Buffer.from([0x22, 0xc0, 0xaf, 0x22]))).toMatchObject({ ok: false, why: 'invalid-utf8' });
    expect(readJson(Buffer.from([0x22, 0xe2, 0x82]))).toMatchObject({ ok: false, why: 'invalid-utf8' });
  });

  it('takes a byte order mark', () => {
    expect(readJson(Buffer.from('\ufeff{}'))).toEqual({ ok: true, value: {} });
  });
});

describe('a number beyond a double', () => {
  it('is no null, and not its negative, in what is recorded of a body or an event', () => {
    const kept = ['1e400', '-1e400', 'null'].flatMap((text) =>
      [createJsonReader(Buffer.from(text), text)(), createLogReader()(text)].map((reading) => JSON.stringify(reading)),
    );
    expect(new Set(kept).size).toBe(3);
  });
});
