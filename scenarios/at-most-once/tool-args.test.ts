import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/cache-key/index.ts';
import { drawToolArgs } from './tool-args.ts';

describe('drawToolArgs', () => {
  it('draws the same for the same seed, and others for another one', () => {
    expect(drawToolArgs(fc, 1, 6)).toEqual(drawToolArgs(fc, 1, 6));
    expect(drawToolArgs(fc, 1, 6)).not.toEqual(drawToolArgs(fc, 2, 6));
  });

  it('draws objects that every host takes, and that have a canonical form', () => {
    const texts = drawToolArgs(fc, 7, 200).flatMap(({ text }) => text ?? []);
    expect(texts).toHaveLength(207);
    for (const text of texts) {
      expect(canonicalJson(text).ok).toBe(true);
      expect(text).toMatch(/^\{[^]*\}$/u);
      expect(JSON.stringify(JSON.parse(text))).not.toMatch(/\\u0000|__proto__/u);
    }
    expect(
      texts.filter((text) => JSON.stringify(JSON.parse(text)) !== (canonicalJson(text) as { text: string }).text),
    ).not.toEqual([]);
  });
});
