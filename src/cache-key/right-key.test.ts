import { describe, expect, it } from 'vitest';
import { rightKeyOf } from './compute.ts';

function request(index: number): string {
  return `{"provider":"a","model":"m${index}","messages":[]}`;
}

describe('rightKeyOf', () => {
  it('gives the same key again, and another one under the other recipe', () => {
    const text = request(1);
    const first = rightKeyOf(text, 'rfc-0041');
    expect(first).toMatch(/^[0-9a-f]{64}$/u);
    expect(rightKeyOf(text, 'rfc-0041')).toBe(first);
    expect(rightKeyOf(text, 'rfc-0150')).not.toBe(first);
  });

  it('gives none for what has none, however often it is asked', () => {
    for (const _ of [1, 2]) expect(rightKeyOf('{"provider":"a"}', 'rfc-0041')).toBeUndefined();
  });

  it('stays right when more requests come than it remembers', () => {
    const first = rightKeyOf(request(0), 'rfc-0041');
    for (let index = 1; index < 17_000; index += 1) rightKeyOf(request(index), 'rfc-0041');
    expect(rightKeyOf(request(0), 'rfc-0041')).toBe(first);
  });
});
