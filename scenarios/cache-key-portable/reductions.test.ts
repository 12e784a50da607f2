import { describe, expect, it } from 'vitest';
import { reductions } from './shrink.ts';

const plain = '{"provider":"p","model":"m","messages":[{"role":"user","content":""}]}';

describe('reductions', () => {
  it('has nothing smaller than the smallest request', () => {
    expect(reductions(plain)).toEqual([]);
  });

  it('leaves out optional members and items, and keeps required ones', () => {
    const request =
      '{"provider":"p","model":"m","messages":[{"role":"user","content":""},{"role":"user","content":"","name":"a"}],"topK":1}';
    const smaller = reductions(request);
    expect(smaller).toContain(request.replace(',"topK":1', ''));
    expect(smaller).toContain(request.replace(',"name":"a"', ''));
    expect(smaller).toContain(request.replace('{"role":"user","content":""},', ''));
    for (const text of smaller) {
      expect(Object.keys(JSON.parse(text) as object)).toEqual(
        expect.arrayContaining(['provider', 'model', 'messages']),
      );
      expect((JSON.parse(text) as { messages: unknown[] }).messages.length).toBeGreaterThan(0);
    }
  });

  it('shortens strings by whole characters and numbers to valid ones, spellings of the rest kept', () => {
    const request = plain.replace('"content":""', '"content":"a\u{1f600}"').replace('}', ',"x":1}');
    const texts = reductions(request);
    expect(texts).toContain(request.replace('a\u{1f600}', '\u{1f600}'));
    expect(texts).toContain(request.replace('a\u{1f600}', 'a'));
    expect(reductions(`${plain.slice(0, -1)},"topP":1.50}`)).toContain(`${plain.slice(0, -1)},"topP":1.5}`);
    expect(reductions(`${plain.slice(0, -1)},"topP":1.0,"topK":22}`)).toContain(
      `${plain.slice(0, -1)},"topP":1.0,"topK":0}`,
    );
  });

  it('reduces names inside a schema, never to one that is taken', () => {
    const request = `${plain.slice(0, -1)},"responseFormat":{"type":"json","schema":{"ab":{},"a":{}}}}`;
    const texts = reductions(request);
    expect(texts).toContain(request.replace('"ab"', '"b"'));
    expect(texts).not.toContain(request.replace('"ab"', '"a"'));
  });

  it('gives nothing for what is not JSON', () => {
    expect(reductions('{')).toEqual([]);
  });
});
