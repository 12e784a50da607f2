import { describe, expect, it } from 'vitest';
import { createStreamParser } from './connection.ts';

function dataOf(pieces: readonly string[]): readonly string[] {
  const all: string[] = [];
  const parser = createStreamParser(({ data }) => all.push(data));
  for (const piece of pieces) parser.feed(piece);
  return all;
}

describe('an event stream', () => {
  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ])('is read whose lines end with %s, whole and character by character, to its last event', (_, end) => {
    const text = ['id: 1', 'data: a', 'data: b', '', ': comment', 'data: c', '', ''].join(end);
    expect(dataOf([text])).toEqual(['a\nb', 'c']);
    expect(dataOf(text.split(''))).toEqual(['a\nb', 'c']);
    expect(dataOf(text.split('').flatMap((each) => [each, '']))).toEqual(['a\nb', 'c']);
  });

  it('shows no event before the empty line that ends it', () => {
    expect(dataOf(['data: a\r'])).toEqual([]);
    expect(dataOf(['data: a\r', '\n'])).toEqual([]);
    expect(dataOf(['data: a\r\n', '\r'])).toEqual(['a']);
  });
});
